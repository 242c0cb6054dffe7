import type { ImportResult, Provider, Target } from "../../port/port.ts";
import type { BluefoxSend } from "./http.ts";
import { listPath } from "./listing.ts";
import type { PersonValues } from "./person_values.ts";
import { statusResult, subscribeResult } from "./results.ts";

/**
 * Returns the call that adds a person who confirmed elsewhere. BlueFox has no members for the proof, so cfbe alone keeps
 * the time and the IP.
 *
 * @param root returns the path of the project, which can change between calls
 */
export function importCall(
  send: BluefoxSend,
  root: () => string,
  valuesOf: PersonValues,
): Pick<Provider, "importConfirmed"> {
  async function read({ list, email }: Target, signal: AbortSignal | undefined) {
    const path = `${listPath(root(), list)}/subscribers/${encodeURIComponent(email)}`;
    return statusResult(await send({ method: "GET", path, signal }));
  }

  return {
    async importConfirmed(target, person, signal): Promise<ImportResult> {
      const before = await read(target, signal);
      if (before.kind === "trouble") return before;
      if (before.kind === "found") return { kind: "exists", status: before.status };
      const own = await valuesOf(target.email, person, signal);
      if (own.kind === "trouble") return own;
      const { name, tags } = person;
      // An explicit status skips double opt-in and its email.
      const body = { ...own.values, email: target.email, tags, status: "active", ...(name && { name }) };
      const path = `${listPath(root(), target.list)}/subscribers`;
      const added = subscribeResult(await send({ method: "POST", path, body, signal }));
      switch (added.kind) {
        case "accepted":
          return { kind: "imported", omitted: own.omitted };
        case "suppressed":
          return { kind: "exists", status: added.bounced ? "bounced" : "suppressed" };
        case "left":
          return { kind: "exists", status: "unsubscribed" };
        case "elsewhere":
          return { kind: "refused", reason: "BlueFox accepts the address only through its own form." };
        case "exists":
          return await statusAfterRace(target, signal);
        default:
          return added;
      }
    },
  };

  /** Returns the status of a person whom another request added since the first read. */
  async function statusAfterRace(target: Target, signal: AbortSignal | undefined): Promise<ImportResult> {
    const after = await read(target, signal);
    if (after.kind === "trouble") return after;
    if (after.kind === "found") return { kind: "exists", status: after.status };
    const reason = "BlueFox says that the address exists, but does not find it.";
    return { kind: "trouble", code: "unexpected", reason, unknown: false };
  }
}
