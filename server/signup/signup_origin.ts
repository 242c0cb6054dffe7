/**
 * Whose signup put an address on its list: this delivery's own, an earlier one's (or somebody else's), or unclear
 * because the provider does not show how old the subscriber is.
 */
export type Origin = "this delivery" | "earlier" | "unclear";

/**
 * An address created this shortly before the delivery was queued still counts as created by it. The margin covers
 * the one-second resolution of the provider's `Date`, and clocks that differ where an answer carries no `Date`.
 * Erring this way costs little: the subscriber was mailed within these five minutes.
 */
export const AGE_MARGIN_MS = 5 * 60 * 1000;

interface Evidence {
  /** What the provider answered to this attempt's subscribe. */
  answer: "accepted" | "exists";
  /** An earlier attempt of this delivery may have taken effect. */
  unknown: boolean;
  /** When the provider created the subscriber, by our clock; absent where it does not show that. */
  createdAt?: number | undefined;
  /** When this delivery was queued, Unix milliseconds. */
  queuedAt: number;
}

/**
 * Decides whose signup an address on the list is. "Exists" on a first attempt proves nothing by itself: an
 * intermediary may have sent the request twice, and the second answer is the only one that we see. So the age
 * decides: what was created since this delivery was queued is this delivery's.
 */
export function originOf({ answer, unknown, createdAt, queuedAt }: Evidence): Origin {
  if (answer === "accepted" || unknown) return "this delivery";
  if (createdAt === undefined) return "unclear";
  return createdAt > queuedAt - AGE_MARGIN_MS ? "this delivery" : "earlier";
}

/**
 * Decides whether an unconfirmed address may be sent its confirmation email again, budget permitting.
 *
 * Without an age, the first delivery of a record does not resend: its own subscribe may have sent the email a moment
 * ago. It counts as mailed, so the next signup after 24 hours (or an admin) can have it resent.
 *
 * @param first no earlier delivery of this record has reached the provider
 */
export function mayResend(origin: Origin, first: boolean): boolean {
  return origin === "earlier" || (origin === "unclear" && !first);
}
