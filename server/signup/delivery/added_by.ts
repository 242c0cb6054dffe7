import type { StatusResult } from "../../provider/port.ts";

/**
 * Whose signup put an address on its list: this delivery's own, an earlier one's (or somebody else's), or unclear
 * because the provider could not be asked before it was told to subscribe.
 */
export type AddedBy = "this delivery" | "earlier" | "unclear";

interface Evidence {
  /** What the provider answered to this attempt's subscribe. */
  answer: "accepted" | "exists";
  /** An earlier attempt of this delivery may have taken effect. */
  unknown: boolean;
  /** What the provider showed before this attempt's subscribe; undefined if it was not asked. */
  before: Exclude<StatusResult["kind"], "found"> | undefined;
}

/**
 * Decides whose signup an address on the list is that was not seen there before. "Exists" proves nothing by itself: an
 * intermediary may have sent the request twice, and the second answer is the only one that we see.
 */
export function addedBy({ answer, unknown, before }: Evidence): AddedBy {
  return answer === "accepted" || unknown || before === "absent" ? "this delivery" : "unclear";
}

/**
 * Decides whether an unconfirmed address may be sent its confirmation email again, budget permitting.
 *
 * Where it is unclear, the first delivery of a record does not resend: its own subscribe may have sent the email a
 * moment ago. It counts as mailed, so the next signup after 24 hours (or an admin) can have it resent.
 *
 * @param first no earlier delivery of this record has reached the provider
 */
export function mayResend(origin: AddedBy, first: boolean): boolean {
  return origin === "earlier" || (origin === "unclear" && !first);
}
