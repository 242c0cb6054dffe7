import { isOwnError } from "../../http/json_response.ts";
import { allOmitted } from "../../port/custom_fields.ts";
import type { ConfirmedPerson, ImportResult, OmissionReason, Provider } from "../../port/port.ts";
import { type ListmonkSend, trouble } from "./http.ts";
import { type Find, isTaken } from "./people.ts";
import { listStatusOf, membershipOf, Subscriber } from "./subscriber.ts";
import { HIDDEN, listId, UNKNOWN_LIST } from "./subscriptions.ts";
import { rejectedBy } from "../../http/response_trouble.ts";

/**
 * Returns the call that adds a person who confirmed elsewhere. The attribute `consent` of a new person holds the proof,
 * because the API does not set listmonk's own. Somebody whom listmonk knows from another list keeps their name and
 * attributes.
 */
export function importCall(send: ListmonkSend, find: Find): Pick<Provider, "importConfirmed"> {
  return {
    async importConfirmed({ list, email }, person, signal) {
      const id = listId(list);
      if (id === undefined) return UNKNOWN_LIST;
      let found = await find(email, signal);
      if (found.kind === "absent") {
        const body = newPerson(email, id, person);
        const response = await send({ method: "POST", path: "/subscribers", body, signal });
        if (isOwnError(response, 400)) {
          return { kind: "refused", reason: rejectedBy("listmonk", response) };
        }
        if (!isTaken(response)) {
          const created = response.kind === "ok" ? Subscriber.safeParse(response.body).data : undefined;
          if (!created) return trouble(response, "writes");
          // listmonk ignores a list that does not exist.
          if (!membershipOf(created, id)) return UNKNOWN_LIST;
          return { kind: "imported", omitted: overwritten(person, body.attribs) };
        }
        // Created by another request in the meantime.
        found = await find(email, signal);
      }
      if (found.kind === "trouble") return found;
      if (found.kind === "absent") return HIDDEN;
      const known = statusOf(found.person, id);
      if (known) return known;
      const body = { ids: [found.person.id], action: "add", target_list_ids: [id], status: "confirmed" };
      const added = await send({ method: "PUT", path: "/subscribers/lists", body, signal });
      if (added.kind !== "ok") return trouble(added, "writes");
      return { kind: "imported", omitted: allOmitted(person.properties ?? {}) };
    },
  };
}

/** Returns the body that creates a confirmed person. With `preconfirm_subscriptions`, listmonk sends no email. */
function newPerson(
  email: string,
  list: number,
  { name, tags, confirmedAt, ip, properties }: ConfirmedPerson,
) {
  const consent = { confirmed_at: new Date(confirmedAt).toISOString(), ...(ip !== undefined && { ip }) };
  return {
    email,
    ...(name && { name }),
    status: "enabled",
    lists: [list],
    preconfirm_subscriptions: true,
    attribs: { ...properties, ...(tags.length > 0 && { tags }), consent },
  };
}

/** Returns the properties that have the name of an attribute of cfbe. */
function overwritten({ properties = {} }: ConfirmedPerson, attribs: Readonly<Record<string, unknown>>) {
  const names = Object.keys(properties).filter((name) => attribs[name] !== properties[name]);
  return Object.fromEntries(names.map((name): [string, OmissionReason] => [name, "refused"]));
}

/** Returns the result for a person who stays as they are, and undefined for one who was never on the list. */
function statusOf(person: Subscriber, list: number): ImportResult | undefined {
  if (person.status === "blocklisted") return { kind: "exists", status: "suppressed" };
  const membership = membershipOf(person, list);
  if (!membership) return person.status === "disabled" ? { kind: "exists", status: "paused" } : undefined;
  const status = listStatusOf(person, membership);
  if (status) return { kind: "exists", status };
  return {
    kind: "trouble",
    code: "unexpected",
    reason: "listmonk reports a status that its documentation does not list",
    unknown: false,
  };
}
