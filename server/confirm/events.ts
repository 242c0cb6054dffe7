import { z } from "zod";
import type { ConfirmedBy } from "../../shared/outcomes.ts";
import { normalEmail } from "../http/email.ts";

/** What a webhook payload asks for, before any record was looked at (contract 7.6, decision 21). */
export type HookEvent =
  /** A subscription changed on a list: check that one signup, if it is ours. */
  | { kind: "subscription"; type: SubscriptionType; email: string; list: string; status: string }
  /** A delivery or engagement event; `email` where it says that something is wrong with the address. */
  | { kind: "delivery"; email?: string }
  /** An automation reached this contact: check all its signups. */
  | { kind: "automation"; email: string }
  | { kind: "automation_without_email" }
  | { kind: "unknown" };

const SUBSCRIPTION_TYPES = ["subscribe", "resubscribe", "unsubscribe", "pause-subscription"] as const;
export type SubscriptionType = (typeof SUBSCRIPTION_TYPES)[number];

/** Types after which the address itself is in doubt. */
const TROUBLING = ["bounce", "complaint"];

const email = z.unknown().transform((value) => normalEmail(value)).pipe(z.string());

const Subscription = z.object({
  subscription: z.object({
    email,
    status: z.string(),
    subscriberList: z.object({ _id: z.string().max(200) }),
  }),
});
const EmailData = z.object({ emailData: z.object({ to: email }) });
const Contact = z.object({ contact: z.object({ email }) });

/** Read a payload, of which any member may be missing or anything at all. Pure; never throws. */
export function readEvent(payload: Record<string, unknown>): HookEvent {
  if (isGiven(payload["automationId"])) {
    const contact = Contact.safeParse(payload);
    return contact.success
      ? { kind: "automation", email: contact.data.contact.email }
      : { kind: "automation_without_email" };
  }
  const type = payload["type"];
  if (typeof type !== "string" || type === "") return { kind: "unknown" };
  const subscriptionType = SUBSCRIPTION_TYPES.find((known) => known === type);
  if (subscriptionType) {
    const parsed = Subscription.safeParse(payload);
    if (!parsed.success) return { kind: "unknown" };
    const { email, status, subscriberList } = parsed.data.subscription;
    return { kind: "subscription", type: subscriptionType, email, status, list: subscriberList._id };
  }
  const data = TROUBLING.includes(type) ? EmailData.safeParse(payload) : undefined;
  return data?.success ? { kind: "delivery", email: data.data.emailData.to } : { kind: "delivery" };
}

/** What one event does to one signup of its address. */
export interface Effect {
  action: "queued" | "ignored" | "received";
  /** Which check to queue; absent for none. */
  check?: ConfirmedBy;
}

/**
 * The table of contract 7.6 and contract 7.7, for a subscription event on the list of the address's own signup.
 */
export function subscriptionEffect(type: SubscriptionType, status: string): Effect {
  if (type === "unsubscribe" || type === "pause-subscription") {
    return { action: "received", check: "webhook" };
  }
  return { action: status === "active" ? "queued" : "ignored", check: "webhook" };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
