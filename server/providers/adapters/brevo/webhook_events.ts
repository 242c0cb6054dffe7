import { z } from "zod";
import { normalizeEmail } from "../../../platform/http/email.ts";
import { asObject, parseJson } from "../../../platform/http/request_body.ts";
import type { ProviderEvent, WebhookReading, WebhookRequest } from "../../port/webhook.ts";

/**
 * The payloads of Brevo's marketing webhooks. Source: developers.brevo.com, page "Marketing webhooks". An event has one
 * name at registration (`listAddition`) and another in the payload (`list_addition`), so both are read.
 */

type Change = Extract<ProviderEvent, { kind: "subscription" }>["change"];

/** Names without underscores, in lower case. */
const CHANGES: Readonly<Record<string, Change>> = {
  listaddition: "active",
  unsubscribe: "ended",
  unsubscribed: "ended",
  contactdeleted: "ended",
  contactupdated: "other",
};
const PROBLEMS: readonly string[] = ["hardbounce", "spam"];
const OTHER_EMAILS: readonly string[] = [
  "delivered",
  "opened",
  "uniqueopened",
  "proxyopen",
  "uniqueproxyopen",
  "click",
  "clicked",
  "softbounce",
];

const oneOrMore = z.unknown().optional().transform((value) =>
  Array.isArray(value) ? value as unknown[] : value === undefined ? [] : [value]
);
const payloadShape = z.object({ event: z.string().max(100), email: oneOrMore, list_id: oneOrMore });

/**
 * Reads a webhook call: one event, or a list of them if the webhook was registered as batched. Brevo does not sign calls,
 * so a call is accepted only if the route found the API key or the webhook secret in it.
 */
export function readBrevoWebhook({ authenticated, body }: WebhookRequest): WebhookReading {
  if (!authenticated) return { kind: "refused", reason: "unauthorized" };
  const json = parseJson(body);
  if (Array.isArray(json)) {
    return { kind: "read", type: "batch", payload: { events: json }, events: json.flatMap(eventsOf) };
  }
  const payload = asObject(json);
  if (!payload) return { kind: "refused", reason: "malformed" };
  const type = typeof payload["event"] === "string" ? payload["event"] : "";
  return { kind: "read", type, payload, events: eventsOf(payload) };
}

function eventsOf(payload: unknown): ProviderEvent[] {
  const read = payloadShape.safeParse(payload).data;
  if (!read) return [];
  const name = read.event.replaceAll("_", "").toLowerCase();
  const emails = read.email.flatMap((email) => normalizeEmail(email) ?? []);
  const change = Object.hasOwn(CHANGES, name) ? CHANGES[name] : undefined;
  if (change) {
    const lists = read.list_id.flatMap((id) => Number.isSafeInteger(id) ? [String(id)] : []);
    return emails.flatMap((email): ProviderEvent[] =>
      lists.length === 0
        ? [{ kind: "subscription", email, change }]
        : lists.map((list) => ({ kind: "subscription", email, list, change }))
    );
  }
  if (PROBLEMS.includes(name)) return emails.map((email) => ({ kind: "mail", email }));
  return OTHER_EMAILS.includes(name) ? [{ kind: "mail" }] : [];
}
