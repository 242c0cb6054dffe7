import type { ListStatus, LocalStatus } from "../../../shared/outcomes.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { leftStatus } from "../../subscribers/person/left_status.ts";
import type { Tone } from "../parts/notice.tsx";

const STATUS_TONES: Record<LocalStatus, Tone> = {
  queued: "plain",
  pending: "plain",
  active: "good",
  failed: "bad",
  expired: "warn",
};

/** Returns the tone of a signup's status, which is not good anymore once the person has left the list. */
export const statusTone = (record: Pick<SignupRecord, "status" | "listStatus">): Tone =>
  leftStatus(record) ? "plain" : STATUS_TONES[record.status];

/** What a status of a signup means. */
export const STATUS_MEANINGS: Record<LocalStatus, string> = {
  queued: "has not reached the provider yet",
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
