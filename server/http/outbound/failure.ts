import type { Exchange } from "../outbound.ts";

/** Why a request to another system came to nothing. The same words for providers and shops. */
export type FailureCode =
  /** The request did not reach the other system. */
  | "no_connection"
  /** The answer did not come within the time-out. */
  | "timeout"
  /** The connection broke before the whole answer was there. */
  | "broken"
  /** The caller stopped waiting. */
  | "cancelled"
  /** The other system refuses our credentials. */
  | "forbidden"
  /** It has no such resource. */
  | "not_found"
  /** It asks us to wait. */
  | "rate_limited"
  /** It has a fault of its own, or is down. */
  | "unavailable"
  /** Its answer has no meaning that its documentation gives. */
  | "unexpected";

export interface Failure {
  code: FailureCode;
  /** For the log and the admin; holds neither the address that was asked nor a secret. */
  reason: string;
  /** Whether the request may have taken effect all the same. */
  unknown: boolean;
}

const CODES = {
  "no connection": "no_connection",
  timeout: "timeout",
  cancelled: "cancelled",
  broken: "broken",
} as const satisfies Record<string, FailureCode>;

/**
 * Returns what it means that a request got no whole answer.
 *
 * @param remote the other system in a sentence, such as "the provider"
 */
export function failureOf(ended: Exclude<Exchange, { kind: "answered" }>, remote: string): Failure {
  const reasons = {
    "no connection": `no connection to ${remote}`,
    timeout: ended.detail,
    cancelled: "the caller stopped waiting",
    broken: "the connection broke",
  };
  return { code: CODES[ended.cause], reason: reasons[ended.cause], unknown: ended.kind === "unclear" };
}

/** Returns what a status without success means (RFC 9110 §15). */
export function codeOfStatus(status: number): FailureCode {
  if (status === 401 || status === 403) return "forbidden";
  if (status === 404 || status === 410) return "not_found";
  if (status === 408 || status >= 500) return "unavailable";
  return status === 429 ? "rate_limited" : "unexpected";
}
