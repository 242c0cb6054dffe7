import type { Exchange } from "../outbound.ts";

/** Why a request to another system failed. Providers and shops share these codes. */
export type FailureCode =
  /** The request did not reach the other system. */
  | "no_connection"
  /** No complete response arrived before the timeout. */
  | "timeout"
  /** The connection broke before the response was complete. */
  | "broken"
  /** The caller stopped waiting. */
  | "cancelled"
  /** The other system rejects our credentials. */
  | "forbidden"
  /** It has no such resource. */
  | "not_found"
  /** It asks us to wait. */
  | "rate_limited"
  /** It has an internal error or is down. */
  | "unavailable"
  /** Its documentation does not describe this response. */
  | "unexpected";

export interface Failure {
  code: FailureCode;
  /** For the log and the admin; contains neither the URL nor a secret. */
  reason: string;
  /** Whether the request may have taken effect despite the failure. */
  unknown: boolean;
}

const CODES = {
  "no connection": "no_connection",
  timeout: "timeout",
  cancelled: "cancelled",
  broken: "broken",
} as const satisfies Record<string, FailureCode>;

/**
 * Returns the failure of a request that got no complete response.
 *
 * @param remote the other system as it is called in the reason, such as "the provider"
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

/** Returns the failure code for an HTTP status that is not a success (RFC 9110 §15). */
export function codeOfStatus(status: number): FailureCode {
  if (status === 401 || status === 403) return "forbidden";
  if (status === 404 || status === 410) return "not_found";
  if (status === 408 || status >= 500) return "unavailable";
  return status === 429 ? "rate_limited" : "unexpected";
}
