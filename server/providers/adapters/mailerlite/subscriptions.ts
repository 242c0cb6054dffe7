import type { Provider } from "../../port/port.ts";
import type { CustomFieldsOf } from "../../port/custom_fields.ts";
import type { MailerliteSend } from "./http.ts";
import {
  createResult,
  eraseResult,
  joinResult,
  knownResult,
  statusResult,
  subscriberResult,
} from "./results.ts";

/** Returns the calls for one address. A list is a group of the account. */
export function subscriptionCalls(
  send: MailerliteSend,
  fieldsOf: CustomFieldsOf,
): Pick<Provider, "subscribe" | "status" | "erase"> {
  const read = async (email: string, signal?: AbortSignal) =>
    subscriberResult(
      await send({ method: "GET", path: `/subscribers/${encodeURIComponent(email)}`, signal }),
    );

  return {
    async subscribe({ list, email }, { name, properties = {} }) {
      const found = await read(email);
      if (found.kind === "trouble") return found;
      if (found.kind === "absent") {
        // Never sets `status`: "active" would skip double opt-in, and "unconfirmed" would demote somebody who became
        // active since the read.
        const own = await fieldsOf(properties);
        if (own.kind === "trouble") return own;
        const fields = { ...(name && { name }), ...own.values };
        const body = { email, groups: [list], ...(Object.keys(fields).length > 0 && { fields }) };
        return createResult(await send({ method: "POST", path: "/subscribers", body }), list);
      }
      const known = knownResult(found, { list });
      if (known) return known;
      // Only adds the group, because anybody can submit a public form: the name and the status stay as they are.
      const path = `/subscribers/${found.id}/groups/${encodeURIComponent(list)}`;
      return joinResult(await send({ method: "POST", path }), found.status);
    },

    async status({ list, email }, signal) {
      return statusResult(await read(email, signal), list);
    },

    async erase(email, signal) {
      const found = await read(email, signal);
      if (found.kind !== "subscriber") return found;
      return eraseResult(await send({ method: "POST", path: `/subscribers/${found.id}/forget`, signal }));
    },
  };
}
