import type { CustomFieldsOf } from "../../port/custom_fields.ts";
import type { Provider } from "../../port/port.ts";
import type { BluefoxResponse, BluefoxSend } from "./http.ts";
import { contactResult, eraseResult, isMissing, saveContactResult } from "./results.ts";

/**
 * Returns the calls for contacts. Source: the documentation's page "Contacts".
 *
 * @param root returns the path of the project, which can change between calls
 */
export function contactCalls(
  send: BluefoxSend,
  root: () => string,
  fieldsOf: CustomFieldsOf,
): Pick<Provider, "contact" | "saveContact" | "erase"> {
  const path = (email: string) => `${root()}/contacts/${encodeURIComponent(email)}`;
  return {
    async contact(email, signal) {
      return contactResult(await send({ method: "GET", path: path(email), signal }));
    },

    async erase(email, signal) {
      return eraseResult(await send({ method: "DELETE", path: path(email), signal }));
    },

    async saveContact(email, { properties, ...change }, signal) {
      // Without a property of that name, BlueFox drops the contact's name.
      const own = await fieldsOf({ ...properties, ...(change.name && { name: change.name }) }, signal);
      if (own.kind === "trouble") return own;
      const body = { ...own.values, ...change };
      const patch = () => send({ method: "PATCH", path: path(email), body, signal });
      let response = await patch();
      if (isMissing(response)) {
        response = await send({
          method: "POST",
          path: `${root()}/contacts`,
          body: { ...body, email },
          signal,
        });
        // Created by another request in the meantime.
        if (isTaken(response)) response = await patch();
      }
      return saveContactResult(response);
    },
  };
}

function isTaken(response: BluefoxResponse): boolean {
  return response.kind === "error" && (response.status === 400 || response.status === 409) &&
    /already exists/i.test(response.problem ?? "");
}
