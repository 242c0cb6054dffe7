import type { CustomFieldsOf } from "../../port/custom_fields.ts";
import type { Provider } from "../../port/port.ts";
import { attributeName, type Attributes, NAME, TAGS, tagsValue } from "./attributes.ts";
import { personOf, readContact } from "./contact.ts";
import type { BrevoSend } from "./http.ts";
import { contactPath } from "./ids.ts";
import { createdId, isInvalidEmail, isMissing, trouble } from "./results.ts";

/** Returns the calls for contacts. Source: developers.brevo.com, pages "Create a contact" and "Delete a contact". */
export function contactCalls(
  send: BrevoSend,
  attributesOf: CustomFieldsOf,
): Pick<Provider, "contact" | "saveContact" | "erase"> {
  return {
    async contact(email, signal) {
      const read = readContact(await send({ method: "GET", path: contactPath(email), signal }));
      return read.kind === "found" ? { kind: "found", contact: personOf(read.contact) } : read;
    },

    async saveContact(email, { name, tags, properties }, signal) {
      const attributes: Attributes = {
        ...Object.fromEntries(Object.entries(properties).map(([key, value]) => [attributeName(key), value])),
        ...(name !== undefined && { [NAME]: name }),
        [TAGS]: tagsValue(tags),
      };
      const own = await attributesOf(attributes, signal);
      if (own.kind === "trouble") return own;
      // Without `listIds`: this subscribes nobody.
      const body = { email, attributes: own.values, updateEnabled: true };
      const response = await send({ method: "POST", path: "/contacts", body, signal });
      if (response.kind === "ok" && (response.status === 204 || createdId(response) !== undefined)) {
        return { kind: "saved" };
      }
      return isInvalidEmail(response)
        ? { kind: "refused", reason: "Brevo rejects the address as invalid" }
        : trouble(response, "writes");
    },

    async erase(email, signal) {
      const response = await send({ method: "DELETE", path: contactPath(email), signal });
      if (isMissing(response)) return { kind: "absent" };
      return response.kind === "ok" ? { kind: "erased" } : trouble(response, "writes");
    },
  };
}
