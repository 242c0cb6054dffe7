import { allOmitted, type CustomValues } from "../../port/custom_fields.ts";
import type { ConfirmedPerson, ImportResult, OmittedProperties, Provider } from "../../port/port.ts";
import type { MailchimpSend } from "./http.ts";
import { addResult, isListed, memberPath, statusResult } from "./member.ts";
import type { MergeFieldsOf } from "./merge_fields.ts";
import { CHANGING, memberReader } from "./subscriptions.ts";

/**
 * Returns the call that adds a person who confirmed elsewhere. Mailchimp sends nothing to somebody who is added as
 * subscribed, and keeps the time of the confirmation and the IP of the signup.
 */
export function importCall(
  send: MailchimpSend,
  mergeFieldsOf: MergeFieldsOf,
): Pick<Provider, "importConfirmed"> {
  const read = memberReader(send);

  return {
    async importConfirmed({ list, email }, person, signal): Promise<ImportResult> {
      const { properties = {} } = person;
      let found = await read(list, email, signal);
      if (found.kind === "absent") {
        const own = await mergeFieldsOf(list, properties, signal);
        if (own.kind === "trouble") return own;
        const { tags } = person;
        const body = { ...subscribed(email, person, own.values), ...(tags.length > 0 && { tags }) };
        const path = `/lists/${encodeURIComponent(list)}/members?skip_merge_validation=true`;
        const added = addResult(await send({ method: "POST", path, body, signal }));
        if (added.kind !== "taken") return importedOr(added, own.omitted);
        found = await read(list, email, signal);
      }
      if (found.kind === "trouble") return found;
      if (found.kind === "absent") return CHANGING;
      const { status } = found;
      // They may have unsubscribed before they were archived.
      if (status === "archived") return { kind: "refused", reason: "The person is archived in Mailchimp." };
      if (status !== undefined && isListed(status)) return { kind: "exists", status };
      const unknown = statusResult(found);
      if (unknown.kind === "trouble") return unknown;
      // Known only from an order, so they keep their merge fields. Mailchimp refuses this for somebody who unsubscribed since the read.
      const body = { ...subscribed(email, person), status_if_new: "subscribed" };
      const path = `${memberPath(list, email)}?skip_merge_validation=true`;
      const added = addResult(await send({ method: "PUT", path, body, signal }));
      return importedOr(added, allOmitted(properties));
    },
  };
}

function subscribed(
  email: string,
  { name, confirmedAt, ip }: ConfirmedPerson,
  fields: CustomValues["values"] = {},
) {
  const mergeFields = { ...(name && { FNAME: name }), ...fields };
  return {
    email_address: email,
    status: "subscribed",
    timestamp_opt: `${new Date(confirmedAt).toISOString().slice(0, 19)}+00:00`,
    ...(ip !== undefined && { ip_signup: ip }),
    ...(Object.keys(mergeFields).length > 0 && { merge_fields: mergeFields }),
  };
}

function importedOr(result: ReturnType<typeof addResult>, omitted: OmittedProperties): ImportResult {
  switch (result.kind) {
    case "accepted":
      return { kind: "imported", omitted };
    case "suppressed":
      return { kind: "exists", status: "suppressed" };
    case "forgotten":
      return { kind: "refused", reason: "Mailchimp accepts the address only through its own form." };
    case "refused":
    case "trouble":
      return result;
    default:
      return CHANGING;
  }
}
