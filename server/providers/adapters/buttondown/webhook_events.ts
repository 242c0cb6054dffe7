import { z } from "zod";
import { asObject, parseJson } from "../../../platform/http/request_body.ts";
import type { ProviderEvent, WebhookReading, WebhookRequest } from "../../port/webhook.ts";
import { isFromProvider } from "../../port/webhook_auth.ts";

/** Reads Buttondown's webhook calls. Source: docs.buttondown.com/api-webhooks-introduction. */

const AUTH = { kind: "plain", header: "x-buttondown-signature", prefix: "sha256=" } as const;

/** IDs of newsletters and subscribers, such as `sub_…`. They become part of requests. */
const Id = z.string().regex(/^[\w-]{1,100}$/);

const Event = z.object({
  event_type: z.string(),
  data: z.object({
    subscriber: Id,
    /** Only in an account with several newsletters. */
    newsletter: Id.optional().catch(undefined),
  }),
});

const CHANGES: Readonly<Record<string, Extract<ProviderEvent, { kind: "unnamed" }>["change"]>> = {
  "subscriber.confirmed": "active",
  "subscriber.resumed": "active",
  "subscriber.bounced": "ended",
  "subscriber.complained": "ended",
  "subscriber.paused": "ended",
  "subscriber.unsubscribed": "ended",
  "subscriber.type.changed": "other",
};

/**
 * Reads a webhook call, which has one event with the IDs of the subscriber and of the newsletter. Buttondown signs no time,
 * so a call can be repeated: it only makes cfbe read the subscriber again.
 *
 * @param secret the signing key of the webhook; empty if it has none
 */
export function readButtondownWebhook(
  request: WebhookRequest,
  { secret }: { secret: string },
): WebhookReading {
  if (!request.authenticated && !isFromProvider(AUTH, request, { secret, now: 0 })) {
    return { kind: "refused", reason: "unauthorized" };
  }
  const payload = asObject(parseJson(request.body));
  const type = payload?.["event_type"];
  if (!payload || typeof type !== "string") return { kind: "refused", reason: "malformed" };
  return { kind: "read", type: type.slice(0, 100), payload, events: eventsOf(payload) };
}

function eventsOf(payload: Record<string, unknown>): ProviderEvent[] {
  const found = Event.safeParse(payload).data;
  const change = found && Object.hasOwn(CHANGES, found.event_type) ? CHANGES[found.event_type] : undefined;
  if (!found || change === undefined) return [];
  const { subscriber: id, newsletter: list } = found.data;
  return [{ kind: "unnamed", id, ...(list !== undefined && { list }), change }];
}
