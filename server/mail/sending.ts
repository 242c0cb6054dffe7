/** `sending` that nobody settles becomes `unknown`: at most one mail is worth more than at least one. */
export interface CartMail {
  at: number;
  state: "sending" | "sent" | "refused" | "unknown";
}

/** Between claim and call nothing waits. Who finds itself later than this was put to sleep, and must not send. */
export const SEND_WITHIN_MS = 5_000;
/** After this no mail can leave any more for a claim: the call's own time-out of 10 s, and a margin. */
export const SEND_WINDOW_MS = SEND_WITHIN_MS + 15_000;

/** Whether a mail is on its way now, so that nobody can tell yet whether it comes. */
export function isSending(mail: CartMail | null | undefined, now: number): boolean {
  return mail?.state === "sending" && now < mail.at + SEND_WINDOW_MS;
}
