import type { CustomFieldsOf } from "../../port/custom_fields.ts";
import type { ConfirmedPerson, ImportResult, OmittedProperties, Provider } from "../../port/port.ts";
import { attributeName, type Attributes } from "./attributes.ts";
import { addedAttributes, type BrevoContact, readContact, statusOn } from "./contact.ts";
import type { BrevoSend } from "./http.ts";
import { contactPath, numericId } from "./ids.ts";
import { createdId, isDuplicate, isInvalidEmail, notConfigured, trouble } from "./results.ts";

/**
 * Returns the call that adds a person who confirmed elsewhere. `POST /contacts` sends no email. The proof is in two
 * attributes, because Brevo has no members for it.
 */
export function importCall(send: BrevoSend, attributesOf: CustomFieldsOf): Pick<Provider, "importConfirmed"> {
  const read = async (email: string, signal?: AbortSignal) =>
    readContact(await send({ method: "GET", path: contactPath(email), signal }));

  /** Adds a contact to the list; creates it if it is undefined. */
  async function add(
    { email, list, contact }: { email: string; list: number; contact: BrevoContact | undefined },
    person: ConfirmedPerson,
    signal?: AbortSignal,
  ): Promise<ImportResult | "created in the meantime"> {
    const attributes = addedAttributes(contact, person);
    const own = await attributesOf({ ...attributes, ...proofOf(person) }, signal);
    if (own.kind === "trouble") return own;
    const listIds = [...new Set([...contact?.listIds ?? [], list])];
    const body = { email, attributes: own.values, listIds, updateEnabled: contact !== undefined };
    const response = await send({ method: "POST", path: "/contacts", body, signal });
    if (response.kind === "ok" && (response.status === 204 || createdId(response) !== undefined)) {
      return { kind: "imported", omitted: omittedOf(person, attributes, own.omitted) };
    }
    if (isInvalidEmail(response)) {
      return { kind: "refused", reason: "Brevo rejects the address as invalid" };
    }
    return isDuplicate(response) && !contact ? "created in the meantime" : trouble(response, "writes");
  }

  return {
    async importConfirmed({ list, email }, person, signal) {
      const id = numericId(list);
      if (id === undefined) return notConfigured("the ID of a list at Brevo is a number");
      for (let attempt = 0; attempt < 2; attempt++) {
        const found = await read(email, signal);
        if (found.kind === "trouble") return found;
        const contact = found.kind === "found" ? found.contact : undefined;
        const status = contact && statusOn(contact, id);
        if (status) return { kind: "exists", status };
        const added = await add({ email, list: id, contact }, person, signal);
        if (added !== "created in the meantime") return added;
      }
      const reason = "Brevo has the contact, but does not show it";
      return { kind: "trouble", code: "unexpected", reason, unknown: false };
    },
  };
}

/** Returns the omitted properties by their names, of which the attributes are made. */
function omittedOf(
  { properties = {} }: ConfirmedPerson,
  added: Attributes,
  omitted: OmittedProperties,
): OmittedProperties {
  return Object.fromEntries(
    Object.keys(properties).flatMap((property) => {
      const attribute = attributeName(property);
      const reason = Object.hasOwn(added, attribute) ? omitted[attribute] : "exists";
      return reason ? [[property, reason]] : [];
    }),
  );
}

function proofOf({ confirmedAt, ip }: ConfirmedPerson): Record<string, string> {
  return {
    CFBE_CONFIRMED_AT: new Date(confirmedAt).toISOString(),
    ...(ip !== undefined && { CFBE_SIGNUP_IP: ip }),
  };
}
