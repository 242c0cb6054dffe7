import { z } from "zod";
import type { Fetch } from "../../deps.ts";
import { type Exchange, exchange } from "../../http/outbound.ts";
import { failureOf } from "../../http/outbound/failure.ts";
import { requestedWaitMs } from "../../http/outbound/rate_limit.ts";
import type { TroubleCode } from "../trouble.ts";

/** The result of one request to Brevo. */
export type BrevoResponse =
  /** A 2xx. `json` is undefined without a body: Brevo answers most changes with an empty 201 or 204. */
  | { kind: "ok"; status: number; json: unknown; skewMs?: number }
  /**
   * Any other status, with the `code` of Brevo's error, or without it if the body was not Brevo's, for example from a
   * proxy. `message` may contain an email address: it is only compared, and never part of a reason.
   */
  | BrevoError
  /** No usable response. `unknown` if the request may have taken effect. */
  | { kind: "failed"; code: TroubleCode; reason: string; unknown: boolean };

export interface BrevoError {
  kind: "error";
  status: number;
  code?: string;
  message: string;
  retryAfterMs?: number;
  skewMs?: number;
}

export interface HttpOptions {
  /** `https://api.brevo.com/v3`, without a trailing slash. */
  baseUrl: string;
  apiKey: () => string;
  fetch: Fetch;
  timeoutMs: number;
  /** Unix milliseconds. */
  now: () => number;
}

export interface BrevoRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to `baseUrl`, encoded, with the query. */
  path: string;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** Sends one request. Never throws. */
export type Send = (request: BrevoRequest) => Promise<BrevoResponse>;

/** A page of 100 contacts with all their attributes is far below this. */
const BODY_CAP_BYTES = 2 * 1024 * 1024;

const problem = z.object({ code: z.string().max(60), message: z.string().catch("") });

/**
 * Sends one request. Never throws: failures are in the response. Source: developers.brevo.com, pages "Authentication",
 * "Rate limit headers" and "Error codes".
 */
export async function sendRequest(options: HttpOptions, request: BrevoRequest): Promise<BrevoResponse> {
  const key = options.apiKey();
  if (key === "") return unsent("not_configured", "no API key is configured");
  const url = URL.parse(options.baseUrl + request.path);
  if (!url) return unsent("not_configured", "the provider's URL is malformed");
  let headers: Headers;
  try {
    headers = new Headers({ "api-key": key, accept: "application/json" });
  } catch {
    return unsent("invalid_key", "the API key contains characters that are not allowed in a header");
  }
  if (request.body !== undefined) headers.set("content-type", "application/json");
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const { fetch, timeoutMs } = options;
  const ended = await exchange(
    fetch,
    { method: request.method, url, headers, body, signal: request.signal },
    { timeoutMs, bodyBytes: BODY_CAP_BYTES },
  );
  if (ended.kind === "answered") return decode(ended, options.now());
  return { kind: "failed", ...failureOf(ended, "Brevo") };
}

function unsent(code: TroubleCode, reason: string): BrevoResponse {
  return { kind: "failed", code, reason, unknown: false };
}

function decode(
  { status, headers, json }: Extract<Exchange, { kind: "answered" }>,
  now: number,
): BrevoResponse {
  const date = Date.parse(headers.get("date") ?? "");
  const skew = Number.isNaN(date) ? {} : { skewMs: date - now };
  if (status >= 200 && status < 300) {
    if (json !== undefined || !hasForeignBody(headers)) return { kind: "ok", status, json, ...skew };
    const reason = `HTTP ${status} with a body that is not Brevo's`;
    return { kind: "failed", code: "unexpected", reason, unknown: true };
  }
  // A 303 follows a request that took effect (RFC 9110 §15.4.4).
  if (status === 303) {
    return { kind: "failed", code: "unexpected", reason: "HTTP 303 instead of a response", unknown: true };
  }
  const error = problem.safeParse(json).data;
  const response: BrevoError = { kind: "error", status, message: error?.message ?? "", ...skew };
  if (error) response.code = error.code;
  const wait = requestedWaitMs(headers, now);
  if (wait !== undefined) response.retryAfterMs = wait;
  return response;
}

/** Returns whether a body that is not JSON came from somebody else, such as the sign-in page of a network. */
function hasForeignBody(headers: Headers): boolean {
  const type = headers.get("content-type") ?? "";
  return type !== "" && !/\bjson\b/i.test(type);
}
