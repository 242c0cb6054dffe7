import { z } from "zod";
import { asObject, parseJson } from "../../../platform/http/request_body.ts";
import { normalizeEmail } from "../../../platform/http/email.ts";
import type { ProviderEvent, WebhookReading, WebhookRequest } from "../../port/webhook.ts";

/** The payloads of project webhooks and automation steps (contract 7.6 to 7.8). */

type Change = Extract<ProviderEvent, { kind: "subscription" }>["change"];

/** Subscription event types, with the change that they report for a subscription's status. */
const SUBSCRIPTION_TYPES: Readonly<Record<string, (status: string) => Change>> = {
  subscribe: (status) => status === "active" ? "active" : "other",
  resubscribe: (status) => status === "active" ? "active" : "other",
  unsubscribe: () => "ended",
  "pause-subscription": () => "ended",
};

/** Event types that indicate a problem with the address. */
const ADDRESS_PROBLEMS = ["bounce", "complaint"];

const email = z.unknown().transform((value) => normalizeEmail(value)).pipe(z.string());

const Subscription = z.object({
  subscription: z.object({
    email,
    status: z.string(),
    subscriberList: z.object({ _id: z.string().max(200) }),
  }),
});
const EmailData = z.object({ emailData: z.object({ to: email }) });
const Contact = z.object({ contact: z.object({ email }) });

/**
 * Reads a webhook call. Any member of the payload may be missing or have any type. The provider does not sign calls, so
 * a call is accepted only if the route found the API key or the webhook secret in it.
 */
export function readBluefoxWebhook({ authenticated, body }: WebhookRequest): WebhookReading {
  if (!authenticated) return { kind: "refused", reason: "unauthorized" };
  const payload = asObject(parseJson(body));
  if (!payload) return { kind: "refused", reason: "malformed" };
  const type = typeof payload["type"] === "string" ? payload["type"] : "";
  if (isGiven(payload["automationId"]) && !isProjectEvent(type, payload)) {
    const contact = Contact.safeParse(payload).data?.contact;
    return contact
      ? { kind: "read", type: "automation", payload, events: [{ kind: "automation", email: contact.email }] }
      : { kind: "refused", reason: "no_email", type: "automation", payload };
  }
  return { kind: "read", type, payload, events: type === "" ? [] : eventsOf(type, payload) };
}

/** Returns whether an event says what it is about: that of an email can also name the automation that sent the email. */
const isProjectEvent = (type: string, { subscription, emailData }: Record<string, unknown>) =>
  type !== "" && (isGiven(subscription) || isGiven(emailData));

function eventsOf(type: string, payload: Record<string, unknown>): ProviderEvent[] {
  const change = Object.hasOwn(SUBSCRIPTION_TYPES, type) ? SUBSCRIPTION_TYPES[type] : undefined;
  if (change) {
    const found = Subscription.safeParse(payload).data?.subscription;
    if (!found) return [];
    const { email, status, subscriberList } = found;
    return [{ kind: "subscription", email, list: subscriberList._id, change: change(status) }];
  }
  const to = ADDRESS_PROBLEMS.includes(type) ? EmailData.safeParse(payload).data?.emailData.to : undefined;
  return [{ kind: "mail", ...(to !== undefined && { email: to }) }];
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
