import type { StatusResult } from "../../provider/port.ts";

/**
 * Who added an address to its list: this delivery, an earlier signup (or somebody else), or unclear because the status
 * could not be read before the subscribe request.
 */
export type AddedBy = "this delivery" | "earlier" | "unclear";

interface Evidence {
  /** The response to this attempt's subscribe request. */
  answer: "accepted" | "exists";
  /** An earlier attempt of this delivery may have taken effect. */
  unknown: boolean;
  /** The status before this attempt's subscribe request; undefined if it was not read. */
  before: Exclude<StatusResult["kind"], "found"> | undefined;
}

/**
 * Decides who added an address that was not found on the list before. The response "exists" alone proves nothing: a
 * proxy may have sent the request twice, and we see only the second response.
 */
export function addedBy({ answer, unknown, before }: Evidence): AddedBy {
  return answer === "accepted" || unknown || before === "absent" ? "this delivery" : "unclear";
}

/**
 * Decides whether the confirmation email of an unconfirmed address may be resent, if its budget allows.
 *
 * If it is unclear who added the address, the first delivery of a record does not resend: its own subscribe request may
 * have just sent the email. The 24-hour marker is set as if it had, so a later signup, or an admin, can resend it.
 *
 * @param first no earlier delivery of this record has reached the provider
 */
export function mayResend(by: AddedBy, first: boolean): boolean {
  return by === "earlier" || (by === "unclear" && !first);
}
