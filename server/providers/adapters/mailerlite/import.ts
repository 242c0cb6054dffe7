import { allOmitted, type CustomFieldsOf, type CustomValues } from "../../port/custom_fields.ts";
import type { ConfirmedPerson, ImportResult, OmittedProperties, Provider } from "../../port/port.ts";
import type { MailerliteSend } from "./http.ts";
import { createResult, joinResult, statusResult, subscriberResult } from "./results.ts";

/**
 * Returns the call that adds a person who confirmed elsewhere. MailerLite keeps the time and the IP of the opt-in;
 * it has no tags. Somebody who is active in another group keeps their name, their fields and their own proof.
 */
export function importCall(
  send: MailerliteSend,
  fieldsOf: CustomFieldsOf,
): Pick<Provider, "importConfirmed"> {
  return {
    async importConfirmed({ list, email }, person, signal): Promise<ImportResult> {
      const { properties = {} } = person;
      const path = `/subscribers/${encodeURIComponent(email)}`;
      const found = subscriberResult(await send({ method: "GET", path, signal }));
      if (found.kind === "trouble") return found;
      if (found.kind === "absent") {
        const own = await fieldsOf(properties, signal);
        if (own.kind === "trouble") return own;
        const body = newPerson(email, list, person, own.values);
        const created = await send({ method: "POST", path: "/subscribers", body, signal });
        return importedOr(createResult(created, list), own.omitted);
      }
      const known = statusResult(found, list);
      if (known.kind === "trouble") return known;
      if (known.kind === "found") return { kind: "exists", status: known.status };
      // The status belongs to the account: it waits for a confirmation that another group asked for.
      if (found.status === "pending") return { kind: "exists", status: "pending" };
      const group = `/subscribers/${found.id}/groups/${encodeURIComponent(list)}`;
      const joined = joinResult(await send({ method: "POST", path: group, signal }), found.status);
      return importedOr(joined, allOmitted(properties));
    },
  };
}

/**
 * Returns the body that creates an active person. MailerLite sends no confirmation email to them, and allows the status
 * for people who gave their permission.
 */
function newPerson(
  email: string,
  list: string,
  { name, confirmedAt, ip }: ConfirmedPerson,
  values: CustomValues["values"],
) {
  const fields = { ...(name && { name }), ...values };
  return {
    email,
    groups: [list],
    status: "active",
    opted_in_at: new Date(confirmedAt).toISOString().slice(0, 19).replace("T", " "),
    ...(ip !== undefined && { optin_ip: ip }),
    ...(Object.keys(fields).length > 0 && { fields }),
  };
}

function importedOr(result: ReturnType<typeof createResult>, omitted: OmittedProperties): ImportResult {
  switch (result.kind) {
    case "accepted":
      return { kind: "imported", omitted };
    case "left":
      return { kind: "exists", status: "unsubscribed" };
    case "suppressed":
      return { kind: "exists", status: result.bounced ? "bounced" : "suppressed" };
    case "exists":
      return { kind: "exists", status: "active" };
    case "elsewhere":
      return { kind: "refused", reason: "MailerLite accepts the address only through its own form." };
    default:
      return result;
  }
}
