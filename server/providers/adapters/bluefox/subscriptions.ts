import type { Provider, Target } from "../../port/port.ts";
import type { BluefoxSend } from "./http.ts";
import { listPath } from "./listing.ts";
import type { PersonValues } from "./person_values.ts";
import { reactivateResult, resendResult, statusResult, subscribeResult } from "./results.ts";

/**
 * Returns the calls for one address on a list.
 *
 * @param root returns the path of the project, which can change between calls
 */
export function subscriptionCalls(
  send: BluefoxSend,
  root: () => string,
  valuesOf: PersonValues,
): Pick<Provider, "subscribe" | "status" | "resend" | "reactivate"> {
  const personPath = ({ list, email }: Target) =>
    `${listPath(root(), list)}/subscribers/${encodeURIComponent(email)}`;

  return {
    async subscribe({ list, email }, person) {
      const own = await valuesOf(email, person);
      if (own.kind === "trouble") return own;
      // Never sets `status`: "active" would skip double opt-in, and anyone can submit a public form.
      const { name, tags } = person;
      const body = { ...own.values, email, tags, ...(name && { name }) };
      const path = `${listPath(root(), list)}/subscribers`;
      return subscribeResult(await send({ method: "POST", path, body }));
    },

    async status(target, signal) {
      return statusResult(await send({ method: "GET", path: personPath(target), signal }));
    },

    async resend({ list, email }) {
      const contactPath = `${listPath(root(), list)}/contacts/${encodeURIComponent(email)}`;
      return resendResult(await send({ method: "POST", path: `${contactPath}/resend-verification-email` }));
    },

    async reactivate(target, signal) {
      const body = { status: "active" };
      return reactivateResult(await send({ method: "PATCH", path: personPath(target), body, signal }));
    },
  };
}
