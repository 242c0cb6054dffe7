/** Statuses and results of signups; see contract 7.14 and 7.16. */

/** Status of a signup record. */
export const LOCAL_STATUSES = ["queued", "pending", "active", "failed", "expired"] as const;
export type LocalStatus = (typeof LOCAL_STATUSES)[number];

/** Status of an address on the provider's list. */
export const LIST_STATUSES = [
  "pending",
  "active",
  "paused",
  "unsubscribed",
  "suppressed",
  "bounced",
] as const;
export type ListStatus = (typeof LIST_STATUSES)[number];

/** Result of a signup. Passed to the `cfbe_subscribed` hook, never shown to the visitor (contract 12.1). */
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

/** How we learned of a confirmation. */
export type ConfirmedBy = "delivery" | "webhook" | "automation" | "poll" | "admin";
