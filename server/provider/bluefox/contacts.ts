import type { Provider } from "../port.ts";
import type { Answer, Call } from "./http.ts";
import { contactMeaning, eraseMeaning, isMissing, saveContactMeaning, trouble } from "./meaning.ts";

/**
 * Contacts and their custom properties. Source: the documentation's page "Contacts"; that a property is made with
 * `{name, type}`, and that its value is a member of the contact, is inferred from it.
 *
 * @param root path of the project, which may be another at the next call
 */
export function contactCalls(
  ask: (call: Call) => Promise<Answer>,
  root: () => string,
): Pick<Provider, "contact" | "saveContact" | "erase"> {
  const path = (email: string) => `${root()}/contacts/${encodeURIComponent(email)}`;
  /** Properties that are known to be there, by their path. */
  const made = new Set<string>();

  /** The answer that stands in the way, if there is one. */
  async function makeProperties(
    properties: Readonly<Record<string, string | number>>,
    signal: AbortSignal | undefined,
  ): Promise<Answer | undefined> {
    for (const [name, value] of Object.entries(properties)) {
      const fields = `${root()}/contacts/fields`;
      if (made.has(`${fields} ${name}`)) continue;
      const body = { name, type: typeof value === "number" ? "number" : "string" };
      const answer = await ask({ method: "POST", path: fields, body, signal });
      const isThere = answer.kind === "result" || (answer.kind === "error" && answer.status === 409);
      if (!isThere) return answer;
      made.add(`${fields} ${name}`);
    }
    return undefined;
  }

  return {
    async contact(email, signal) {
      return contactMeaning(await ask({ method: "GET", path: path(email), signal }));
    },

    async erase(email, signal) {
      return eraseMeaning(await ask({ method: "DELETE", path: path(email), signal }));
    },

    async saveContact(email, { properties, ...change }, signal) {
      const missing = await makeProperties(properties, signal);
      if (missing) return trouble(missing, "writes");
      const body = { ...properties, ...change };
      const patch = () => ask({ method: "PATCH", path: path(email), body, signal });
      let answer = await patch();
      if (isMissing(answer)) {
        answer = await ask({
          method: "POST",
          path: `${root()}/contacts`,
          body: { ...body, email },
          signal,
        });
        // Somebody else made it in between.
        if (isTaken(answer)) answer = await patch();
      }
      return saveContactMeaning(answer);
    },
  };
}

function isTaken(answer: Answer): boolean {
  return answer.kind === "error" && (answer.status === 400 || answer.status === 409) &&
    /already exists/i.test(answer.message ?? "");
}
