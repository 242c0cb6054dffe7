import { isFarAhead } from "../../platform/time/stored_time.ts";

/** An attempt to send an email. A `sending` without a result becomes `unknown`, and is not repeated. */
export interface MailAttempt {
  at: number;
  state: "sending" | "sent" | "refused" | "unknown";
}

/** Maximum time between the claim and the provider call. An attempt that took longer was suspended, and must not send. */
export const SEND_WITHIN_MS = 5_000;
/** After this time an email of a claim can no longer be sent: the call times out after 10 s, plus a margin. */
export const SEND_WINDOW_MS = SEND_WITHIN_MS + 15_000;

/** Returns whether the attempt may still be sending, so that its result is unknown. */
export function isSending(mail: MailAttempt | null | undefined, now: number): boolean {
  return mail?.state === "sending" && now < mail.at + SEND_WINDOW_MS && !isFarAhead(mail.at, now);
}
