import type { FailureCode } from "../../platform/http/outbound/failure.ts";
import type { JobResult } from "../../platform/jobs/result.ts";

/** Why a call failed. Code must decide by this, never by the text of a reason. */
export type TroubleCode =
  | FailureCode
  /** A setting that the call needs is missing or malformed; nothing was sent. */
  | "not_configured"
  /** The key contains characters that are not allowed in a request; nothing was sent. */
  | "invalid_key"
  /** The account does not allow it now: out of credits, over its cap, restricted. The site's owner has to act. */
  | "account"
  /** cfbe is deactivated; nothing was sent. */
  | "deactivated";

/** Trouble that can be about one address alone. */
export const ABOUT_ADDRESS: ReadonlySet<TroubleCode | undefined> = new Set<TroubleCode>([
  "unavailable",
  "unexpected",
  "broken",
  "timeout",
]);

/** The result of a call that failed or whose effect is unknown. Every call can return it. */
export interface Trouble {
  kind: "trouble";
  code: TroubleCode;
  /** Plain text for the log and the admin, never for the visitor. */
  reason: string;
  /** How long to wait before a retry (the provider's `Retry-After`), milliseconds. */
  retryAfterMs?: number;
  /** Whether the call may have taken effect despite the failure: a timeout, a reset, an invalid response. */
  unknown: boolean;
  /** Nothing was sent: the account's call budget has no room, which is no failure of the provider. */
  held?: true;
}

/** Returns the result of a job that a failed read stopped: reading changes nothing, so its effect is known. */
export function retryRead(trouble: Trouble): JobResult {
  return { ...trouble, kind: "retry", unknown: false };
}

/** Returns a reason without its full stop, for the middle or the end of a sentence: providers' messages may have one. */
function asClause(reason: string): string {
  return reason.replace(/\.+$/, "");
}

/** Returns a reason as the end of a sentence, with one full stop: providers' messages may have one already. */
export function asSentence(reason: string): string {
  return /[!?]$/.test(reason) ? reason : `${asClause(reason)}.`;
}
