import type { ConfirmationMarkerRow } from "../../signup/delivery/confirmation_marker.ts";
import type { SignupRecord } from "../../signup/record/row.ts";

/**
 * Returns when the provider was last asked to send a signup's confirmation email, in Unix milliseconds, or undefined if
 * no time is recorded. Pure.
 *
 * @param marker that of the mailbox, which is exact but expires; then the last delivery that left the signup pending counts
 */
export function confirmationSentAt(
  { history = [] }: Pick<SignupRecord, "history">,
  marker: ConfirmationMarkerRow | null,
): number | undefined {
  if (marker) return marker.at;
  return history.findLast((event) => event.kind === "delivery" && !event.failed && event.result === "pending")
    ?.at;
}
