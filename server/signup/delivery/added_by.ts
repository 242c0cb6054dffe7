import type { StatusResult } from "../../providers/port/port.ts";
import type { DeliveryPayload } from "./payload.ts";

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
  before: StatusResult["kind"] | undefined;
  /** The adapter reads the address itself before it changes anything (`sendsSeparately`), so that "exists" is certain. */
  readsFirst: boolean;
}

/**
 * Decides who added an address that was not found on the list before. The response "exists" alone proves nothing: a
 * proxy may have sent the request twice, and we see only the second response.
 */
export function addedBy({ answer, unknown, before, readsFirst }: Evidence): AddedBy {
  if (answer === "accepted" || unknown || before === "absent") return "this delivery";
  return readsFirst ? "earlier" : "unclear";
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

/**
 * Decides which confirmation email a pending address still gets from this delivery, at a provider with `sendsSeparately`.
 * A resend needs the mailbox's 24-hour marker, the first email does not.
 *
 * @param isCertain whether this attempt itself added the address
 * @param first no earlier delivery of this record has reached the provider
 */
export function owedMail(
  by: AddedBy,
  { isCertain, first, earlier: { mail, marked } }: {
    isCertain: boolean;
    first: boolean;
    earlier: Pick<DeliveryPayload, "mail" | "marked">;
  },
): "first" | "resend" {
  if (marked !== undefined) return "resend";
  return mail !== undefined || (by === "this delivery" && (isCertain || first)) ? "first" : "resend";
}
