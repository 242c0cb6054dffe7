import type { ListStatus, LocalStatus } from "../../../shared/outcomes.ts";
import type { Tone } from "../parts/notice.tsx";

export const STATUS_TONES: Record<LocalStatus, Tone> = {
  queued: "plain",
  pending: "plain",
  active: "good",
  failed: "bad",
  expired: "warn",
};

/** What a status of a signup means. */
export const STATUS_MEANINGS: Record<LocalStatus, string> = {
  queued: "not yet sent to the provider",
  pending: "waiting for confirmation",
  active: "confirmed",
  failed: "rejected, or left the list",
  expired: "not confirmed within 30 days",
};

/** What the provider's list says about an address. */
export const LIST_STATUS_MEANINGS: Record<ListStatus, string> = {
  pending: "waiting for confirmation",
  active: "receives emails",
  paused: "has paused emails",
  unsubscribed: "has unsubscribed",
  suppressed: "blocked by the provider",
  bounced: "emails bounce",
};
