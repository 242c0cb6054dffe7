import type { TroubleCode } from "../port/trouble.ts";

/** The result of one request to a provider. */
export type JsonResponse<Body, Problem> =
  /** A 2xx with the provider's own body. `skewMs` is how far the provider's clock is ahead of ours. */
  | { kind: "ok"; status: number; body: Body; skewMs?: number }
  | JsonError<Problem>
  /** No usable response. `unknown` if the request may have taken effect. */
  | { kind: "failed"; code: TroubleCode; reason: string; unknown: boolean };

/** A response with any other status. */
export interface JsonError<Problem> {
  kind: "error";
  status: number;
  /** Absent if the body was not the provider's, for example from a proxy. */
  problem?: Problem;
  retryAfterMs?: number;
  skewMs?: number;
}

/** Returns whether the provider itself, and not a proxy before it, responded with this error status. */
export function isOwnError<Problem>(
  response: JsonResponse<unknown, Problem>,
  status: number,
): response is JsonError<Problem> & { problem: Problem } {
  return response.kind === "error" && response.status === status && response.problem !== undefined;
}

/** Returns `skewMs` for the result of a connection test, if the response has it. */
export function skewOf(response: JsonResponse<unknown, unknown>): { skewMs?: number } {
  return "skewMs" in response && response.skewMs !== undefined ? { skewMs: response.skewMs } : {};
}
