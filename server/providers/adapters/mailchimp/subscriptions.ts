import { z } from "zod";
import type { EraseResult, Provider, SubscribeResult } from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";
import { audiencesOf } from "./audiences.ts";
import { isMissing, type MailchimpSend, trouble } from "./http.ts";
import type { MergeFieldsOf } from "./merge_fields.ts";
import { addResult, knownResult, memberPath, memberResult, statusResult } from "./member.ts";

const form = z.object({ subscribe_url_long: z.url({ protocol: /^https?$/ }) });

/** Somebody was deleted between two requests, or Mailchimp has not stored them everywhere yet. */
export const CHANGING: Trouble = {
  kind: "trouble",
  code: "unexpected",
  reason: "Mailchimp says both that the address is a member and that it is not",
  unknown: false,
};

/** Returns the function that reads a member. */
export function memberReader(send: MailchimpSend) {
  return async (
    list: string,
    email: string,
    signal?: AbortSignal,
  ): Promise<ReturnType<typeof memberResult>> => {
    const path = `${memberPath(list, email)}?fields=status,last_changed,unsubscribe_reason`;
    return memberResult(await send({ method: "GET", path, signal }));
  };
}

/** Returns the calls for one address. A list is an audience of the account. */
export function subscriptionCalls(
  send: MailchimpSend,
  mergeFieldsOf: MergeFieldsOf,
): Pick<Provider, "subscribe" | "status" | "erase"> {
  const read = memberReader(send);

  /** Returns the result for an address that only Mailchimp's hosted form accepts. */
  async function elsewhere(list: string): Promise<SubscribeResult> {
    const path = `/lists/${encodeURIComponent(list)}?fields=subscribe_url_long`;
    const response = await send({ method: "GET", path });
    if (response.kind !== "ok") return trouble(response, "reads");
    const found = form.safeParse(response.body).data;
    return found ? { kind: "elsewhere", url: found.subscribe_url_long } : { kind: "left" };
  }

  return {
    async subscribe({ list, email }, { name, tags, properties = {} }) {
      let found = await read(list, email);
      if (found.kind === "absent") {
        const own = await mergeFieldsOf(list, properties);
        if (own.kind === "trouble") return own;
        const fields = { ...(name && { FNAME: name }), ...own.values };
        const body = {
          email_address: email,
          // Sends the confirmation email, whatever the audience's own setting is.
          status: "pending",
          ...(Object.keys(fields).length > 0 && { merge_fields: fields }),
          ...(tags.length > 0 && { tags }),
        };
        // `POST` never changes a member, so somebody who became one since the read stays as they are.
        const path = `/lists/${encodeURIComponent(list)}/members?skip_merge_validation=true`;
        const added = addResult(await send({ method: "POST", path, body }));
        if (added.kind === "forgotten") return await elsewhere(list);
        if (added.kind !== "taken") return added;
        found = await read(list, email);
      }
      if (found.kind === "trouble") return found;
      const known = found.kind === "member" ? knownResult(found) : CHANGING;
      if (known) return known;
      // `PUT` with a status would demote somebody who is subscribed. Here the person is archived, known from an order, or
      // unsubscribed. Mailchimp sends the confirmation email to somebody who unsubscribed as well.
      const body = { email_address: email, status_if_new: "pending", status: "pending" };
      const path = `${memberPath(list, email)}?skip_merge_validation=true`;
      const changed = addResult(await send({ method: "PUT", path, body }));
      const hasLeft = found.kind === "member" && found.status === "unsubscribed";
      if (changed.kind === "forgotten" || (hasLeft && changed.kind === "suppressed")) {
        return await elsewhere(list);
      }
      return changed.kind === "taken" ? CHANGING : changed;
    },

    async status({ list, email }, signal) {
      return statusResult(await read(list, email, signal));
    },

    async erase(email, signal) {
      const found = await audiencesOf(send, signal);
      if (found.kind === "trouble") return found;
      let result: EraseResult = { kind: "absent" };
      for (const { id } of found.audiences) {
        const path = `${memberPath(id, email)}/actions/delete-permanent`;
        const response = await send({ method: "POST", path, signal });
        if (response.kind === "ok") result = { kind: "erased" };
        else if (!isMissing(response)) {
          const failed = trouble(response, "writes");
          return { ...failed, unknown: failed.unknown || result.kind === "erased" };
        }
      }
      return result;
    },
  };
}
