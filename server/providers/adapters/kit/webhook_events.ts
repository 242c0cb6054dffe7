import { z } from "zod";
import { normalizeEmail } from "../../../platform/http/email.ts";
import { asObject, parseJson } from "../../../platform/http/request_body.ts";
import type { ProviderEvent, WebhookReading, WebhookRequest } from "../../port/webhook.ts";
import { isFromProvider } from "../../port/webhook_auth.ts";

/** Reads Kit's webhook calls. Source: developers.kit.com/webhooks, "Delivery format" and "Verifying signatures". */

const AUTH = { kind: "timed", header: "x-kit-signature", toleranceMs: 5 * 60_000 } as const;

const Event = z.object({
  type: z.string(),
  data: z.object({
    subscriber: z.object({
      email_address: z.unknown().transform((value) => normalizeEmail(value)).pipe(z.string()),
    }),
  }),
});

/**
 * Reads a webhook call, which has up to 100 events of one type. An event that cannot be read is left out.
 *
 * @param secret from the registration of the webhook; empty if it is not known
 * @param now Unix milliseconds
 */
export function readKitWebhook(
  request: WebhookRequest,
  { secret, now }: { secret: string; now: number },
): WebhookReading {
  if (!request.authenticated && !isFromProvider(AUTH, request, { secret, now })) {
    return { kind: "refused", reason: "unauthorized" };
  }
  const payload = asObject(parseJson(request.body));
  const all = payload?.["events"];
  if (!payload || !Array.isArray(all)) return { kind: "refused", reason: "malformed" };
  const type = asObject(all[0])?.["type"];
  return {
    kind: "read",
    type: typeof type === "string" ? type.slice(0, 100) : "",
    payload,
    events: all.flatMap(eventsOf),
  };
}

function eventsOf(raw: unknown): ProviderEvent[] {
  const found = Event.safeParse(raw).data;
  if (!found) return [];
  const email = found.data.subscriber.email_address;
  switch (found.type) {
    case "subscriber.activated":
      return [{ kind: "subscription", email, change: "active" }];
    case "subscriber.unsubscribed":
      return [{ kind: "subscription", email, change: "ended" }];
    case "subscriber.bounced":
    case "subscriber.complained":
      return [{ kind: "mail", email }];
    default:
      return [];
  }
}
