import { z } from "zod";
import { normalizeEmail } from "../../../platform/http/email.ts";
import { asObject, parseJson } from "../../../platform/http/request_body.ts";
import type { ProviderEvent, WebhookReading, WebhookRequest } from "../../port/webhook.ts";
import { isFromProvider } from "../../port/webhook_auth.ts";

/**
 * Reads Klaviyo's webhook calls, of two kinds. A flow's webhook action sends the body that the site wrote, with the
 * site's own secret header. A system webhook reports many events, and is signed. Source:
 * developers.klaviyo.com/en/docs/working_with_system_webhooks.
 */

const AUTH = {
  kind: "plain",
  header: "klaviyo-signature",
  time: { header: "klaviyo-timestamp", toleranceMs: 5 * 60 * 1000 },
} as const;

const email = z.unknown().transform((value) => normalizeEmail(value)).pipe(z.string());

const Item = z.object({ topic: z.string(), payload: z.unknown() });
/** An event of the Events API. The documentation does not say where the address is, so each usual place is read. */
const Payload = z.object({
  data: z.object({
    attributes: z.object({
      event_properties: z.record(z.string(), z.unknown()).catch({}),
    }).catch({ event_properties: {} }),
  }),
  included: z.array(z.unknown()).catch([]),
});
const IncludedProfile = z.object({ type: z.literal("profile"), attributes: z.object({ email }) });

/** The end of a topic such as `event:klaviyo.unsubscribed_from_email_marketing`. */
const TOPICS: Readonly<Record<string, "active" | "ended" | "mail">> = {
  subscribed_to_email_marketing: "active",
  subscribed_to_list: "active",
  unsubscribed_from_email_marketing: "ended",
  unsubscribed_from_list: "ended",
  manually_suppressed_from_email_marketing: "ended",
  bounced_email: "mail",
  marked_email_as_spam: "mail",
};

/**
 * Reads a webhook call. Any member may be missing or have any type; an event that cannot be read is left out.
 *
 * @param secret of the system webhook; empty if there is none, which leaves only the site's secret
 * @param now Unix milliseconds
 */
export function readKlaviyoWebhook(request: WebhookRequest, secret: string, now: number): WebhookReading {
  if (!request.authenticated && !isFromProvider(AUTH, request, { secret, now })) {
    return { kind: "refused", reason: "unauthorized" };
  }
  const payload = asObject(parseJson(request.body));
  if (!payload) return { kind: "refused", reason: "malformed" };
  const all: unknown = payload["data"];
  if (!Array.isArray(all)) return flowReading(payload);
  const items = all.flatMap((raw) => Item.safeParse(raw).data ?? []);
  return {
    kind: "read",
    type: items[0]?.topic.slice(0, 100) ?? "",
    payload,
    events: items.flatMap(eventsOf),
  };
}

function flowReading(payload: Record<string, unknown>): WebhookReading {
  const address = normalizeEmail(payload["email"]);
  if (address === undefined) return { kind: "refused", reason: "no_email", type: "flow", payload };
  return { kind: "read", type: "flow", payload, events: [{ kind: "automation", email: address }] };
}

/** An event without an address is left out, and not an error: Klaviyo turns off a webhook that has errors for two days. */
function eventsOf({ topic, payload }: z.infer<typeof Item>): ProviderEvent[] {
  const name = topic.slice(topic.lastIndexOf(".") + 1);
  const change = Object.hasOwn(TOPICS, name) ? TOPICS[name] : undefined;
  const address = change && addressIn(payload);
  if (!address) return [];
  return change === "mail"
    ? [{ kind: "mail", email: address }]
    : [{ kind: "subscription", email: address, change }];
}

function addressIn(raw: unknown): string | undefined {
  const payload = Payload.safeParse(raw).data;
  if (!payload) return undefined;
  for (const part of payload.included) {
    const profile = IncludedProfile.safeParse(part).data;
    if (profile) return profile.attributes.email;
  }
  const { event_properties: properties } = payload.data.attributes;
  return normalizeEmail(properties["email"] ?? properties["Email"] ?? properties["$email"]);
}
