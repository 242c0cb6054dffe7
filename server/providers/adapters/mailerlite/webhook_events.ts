import { z } from "zod";
import { normalizeEmail } from "../../../platform/http/email.ts";
import { asObject, parseJson } from "../../../platform/http/request_body.ts";
import type { ProviderEvent, WebhookReading, WebhookRequest } from "../../port/webhook.ts";
import { isFromProvider } from "../../port/webhook_auth.ts";

/** Reads MailerLite's webhook calls. Source: developers.mailerlite.com/docs/webhooks. */

const AUTH = { kind: "plain", header: "signature" } as const;

const email = z.unknown().transform((value) => normalizeEmail(value)).pipe(z.string());

/** Most events have the person's members beside `event`. */
const Flat = z.object({ event: z.string().max(100), email, status: z.string().catch("") });
/** Events about a group or an automation have `type`, and the person as a member. */
const Nested = z.object({
  type: z.string().max(100),
  subscriber: z.object({ email, status: z.string().catch("") }),
  group: z.object({ id: z.string().max(200) }).optional().catch(undefined),
});

/**
 * Reads a webhook call: one event, or several in `events`. Any member may be missing or have any type; an event that
 * cannot be read is left out.
 *
 * @param secret from the registration of the webhook; empty if it is not known
 */
export function readMailerliteWebhook(request: WebhookRequest, secret: string): WebhookReading {
  // The signature has no time, so `now` does not matter. A repeated call only makes cfbe read the status again.
  if (!request.authenticated && !isFromProvider(AUTH, request, { secret, now: 0 })) {
    return { kind: "refused", reason: "unauthorized" };
  }
  const payload = asObject(parseJson(request.body));
  if (!payload) return { kind: "refused", reason: "malformed" };
  const batch = payload["events"];
  const all: unknown[] = Array.isArray(batch) ? batch : [payload];
  return { kind: "read", type: typeOf(all[0]), payload, events: all.flatMap(eventsOf) };
}

function typeOf(event: unknown): string {
  const { event: flat, type } = asObject(event) ?? {};
  const name = flat ?? type;
  return typeof name === "string" ? name.slice(0, 100) : "";
}

function eventsOf(raw: unknown): ProviderEvent[] {
  const flat = Flat.safeParse(raw).data;
  if (flat) return eventsAbout(flat.event, flat);
  const nested = Nested.safeParse(raw).data;
  return nested ? eventsAbout(nested.type, { ...nested.subscriber, list: nested.group?.id }) : [];
}

function eventsAbout(
  type: string,
  { email, status, list }: { email: string; status: string; list?: string | undefined },
): ProviderEvent[] {
  switch (type) {
    case "subscriber.bounced":
    case "subscriber.spam_reported":
      return [{ kind: "mail", email }];
    case "subscriber.unsubscribed":
    case "subscriber.deleted":
      return [{ kind: "subscription", email, change: "ended" }];
    case "subscriber.removed_from_group":
      return [{ kind: "subscription", email, ...(list !== undefined && { list }), change: "ended" }];
    case "subscriber.created":
    case "subscriber.updated":
    case "subscriber.active":
    case "subscriber.added_to_group":
      return [{
        kind: "subscription",
        email,
        ...(list !== undefined && { list }),
        change: status === "active" ? "active" : "other",
      }];
    default:
      return [];
  }
}
