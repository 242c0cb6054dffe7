/** States of a signup and of the list behind it; see contract 7.14 and contract 7.16. */

/** What this service knows of its own signup. */
export const LOCAL_STATUSES = ["queued", "pending", "active", "failed", "expired"] as const;
export type LocalStatus = (typeof LOCAL_STATUSES)[number];

/** What the list at the provider last said of the address. */
export const LIST_STATUSES = [
  "pending",
  "active",
  "paused",
  "unsubscribed",
  "suppressed",
  "bounced",
] as const;
export type ListStatus = (typeof LIST_STATUSES)[number];

/** What became of a signup, told to `cfbe_subscribed` and never to the visitor (contract 12.1). */
export const OUTCOMES = [
  "pending",
  "resent",
  "already_active",
  "active",
  "queued",
  "suppressed",
  "failed",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** How a confirmation was noticed. */
export type ConfirmedBy = "delivery" | "webhook" | "automation" | "poll" | "admin";
