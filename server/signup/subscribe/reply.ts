import type { FieldErrors, SubscribeResponse } from "../../../shared/contract.ts";
import type { Texts } from "../../../shared/texts/texts.ts";
import { ERRORS, RETRY_UNAVAILABLE_MS } from "../../platform/http/errors.ts";
import type { CounterEntry } from "../../platform/observe/counters.ts";
import type { Admission } from "./admission.ts";

/** The response to a signup request: HTTP status and body (contract 4.14 to 4.17). */
export interface Reply {
  status: 200 | 400 | 413 | 429 | 503;
  body: SubscribeResponse;
  /** For `Retry-After`, in milliseconds. */
  retryAfterMs?: number;
}

export const replies = {
  /** Sent for every success and every dropped request, so that the two cannot be told apart. */
  pending: (texts: Texts): Reply => ({
    status: 200,
    body: { success: true, code: "pending", message: texts.success },
  }),
  alreadyActive: (texts: Texts): Reply => ({
    status: 200,
    body: { success: true, code: "already_active", message: texts.alreadySubscribed },
  }),
  invalid: (texts: Texts, fields: FieldErrors): Reply => ({
    status: ERRORS.invalid.status,
    body: { success: false, code: "invalid", message: texts.invalid, fields },
  }),
  tooLarge: (texts: Texts): Reply => ({
    status: ERRORS.too_large.status,
    body: { success: false, code: "invalid", message: texts.invalid, fields: {} },
  }),
  rateLimited: (texts: Texts, retryAfterMs: number): Reply => ({
    status: ERRORS.rate_limited.status,
    body: { success: false, code: "rate_limited", message: texts.rateLimited },
    retryAfterMs,
  }),
  /** Not configured or deactivated: retrying is pointless until an admin acts. */
  rejected: (texts: Texts): Reply => ({
    status: ERRORS.rejected.status,
    body: { success: false, code: "rejected", message: texts.error },
  }),
  /** A failure that may pass at once. */
  unavailable: (texts: Texts): Reply => ({ ...replies.rejected(texts), retryAfterMs: RETRY_UNAVAILABLE_MS }),
};

/** Returns the counter of an admission, for signups from any source. */
export function counterEntryOf(admission: Admission): CounterEntry {
  switch (admission.kind) {
    case "accepted":
      return "accepted";
    case "filtered":
      return admission.proofUsed ? "dropped.challenge" : "dropped.filter";
    case "limited":
      return `rate_limited.${admission.by}`;
    case "refused":
      return admission.refusal.reason === "invalid" ? "invalid.fields" : "rejected.not_configured";
  }
}

/** Returns the response to an admission, for every route that accepts signups. */
export function replyOf(admission: Admission, texts: Texts): Reply {
  switch (admission.kind) {
    case "accepted":
    case "filtered":
      return replies.pending(texts);
    case "limited":
      return replies.rateLimited(texts, admission.retryAfterMs);
    case "refused":
      return admission.refusal.reason === "invalid"
        ? replies.invalid(texts, admission.refusal.fields)
        : replies.rejected(texts);
  }
}
