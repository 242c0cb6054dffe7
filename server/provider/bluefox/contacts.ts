import type { Provider } from "../port.ts";
import type { BluefoxResponse, BluefoxSend } from "./http.ts";
import { contactResult, eraseResult, isMissing, saveContactResult, trouble } from "./results.ts";

/**
 * Returns the calls for contacts and their custom properties. Source: the documentation's page "Contacts". It does not
 * state, but implies, that a property is created with `{name, type}` and that its value is a member of the contact.
 *
 * @param root returns the path of the project, which can change between calls
 */
export function contactCalls(
  send: BluefoxSend,
  root: () => string,
): Pick<Provider, "contact" | "saveContact" | "erase"> {
  const path = (email: string) => `${root()}/contacts/${encodeURIComponent(email)}`;
  /** Properties that are known to exist, by their path. */
  const created = new Set<string>();

  /** Creates missing properties. Returns the response of the first call that failed, or undefined. */
  async function createProperties(
    properties: Readonly<Record<string, string | number>>,
    signal: AbortSignal | undefined,
  ): Promise<BluefoxResponse | undefined> {
    for (const [name, value] of Object.entries(properties)) {
      const fields = `${root()}/contacts/fields`;
      if (created.has(`${fields} ${name}`)) continue;
      const body = { name, type: typeof value === "number" ? "number" : "string" };
      const response = await send({ method: "POST", path: fields, body, signal });
      const exists = response.kind === "ok" || (response.kind === "error" && response.status === 409);
      if (!exists) return response;
      created.add(`${fields} ${name}`);
    }
    return undefined;
  }

  return {
    async contact(email, signal) {
      return contactResult(await send({ method: "GET", path: path(email), signal }));
    },

    async erase(email, signal) {
      return eraseResult(await send({ method: "DELETE", path: path(email), signal }));
    },

    async saveContact(email, { properties, ...change }, signal) {
      const failed = await createProperties(properties, signal);
      if (failed) return trouble(failed, "writes");
      const body = { ...properties, ...change };
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
