import { z } from "zod";
import type { Fetch } from "../../deps.ts";
import { type Exchange, exchange } from "../../http/outbound.ts";
import { failureOf } from "../../http/outbound/failure.ts";
import { requestedWaitMs } from "../../http/outbound/rate_limit.ts";
import { type Effect, responseTrouble } from "../response_trouble.ts";
import type { Trouble, TroubleCode } from "../trouble.ts";

/** The result of one request to Kit. */
export type KitResponse =
  /** A 2xx with a JSON object. */
  | { kind: "ok"; status: number; body: Record<string, unknown>; skewMs?: number }
  /**
   * Any other status. `errors` is absent if the body was not Kit's JSON, for example from a proxy. Its texts may contain an
   * address, so they appear in no reason.
   */
  | { kind: "error"; status: number; errors?: string[]; retryAfterMs?: number; skewMs?: number }
  /** No usable response. `unknown` if the request may have taken effect. */
  | { kind: "failed"; code: TroubleCode; reason: string; unknown: boolean };

export interface HttpOptions {
  /** URL of the API with its version, without a trailing slash. */
  baseUrl: string;
  apiKey: () => string;
  fetch: Fetch;
  timeoutMs: number;
  /** Unix milliseconds. */
  now: () => number;
}

export interface KitRequest {
  method: "GET" | "POST" | "PATCH";
  /** Relative to `baseUrl`. IDs in it are numbers. */
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** Sends one request. Never throws. */
export type Send = (request: KitRequest) => Promise<KitResponse>;

/** A page of 500 subscribers with long referrers is far below this. */
const BODY_CAP_BYTES = 2 * 1024 * 1024;

const success = z.record(z.string(), z.unknown());
const problem = z.object({ errors: z.array(z.string()) });

/**
 * Sends one request. A reason contains neither the key nor anything from the response. Source:
 * developers.kit.com/api-reference, "Authentication" and "API response codes".
 */
export async function sendRequest(options: HttpOptions, request: KitRequest): Promise<KitResponse> {
  const key = options.apiKey();
  if (key === "") return unsent("not_configured", "no API key is configured");
  const url = URL.parse(options.baseUrl + request.path);
  if (!url || !/^https?:$/.test(url.protocol)) return unsent("not_configured", "Kit's URL is malformed");
  url.search = new URLSearchParams(request.query ?? {}).toString();
  let headers: Headers;
  try {
    headers = new Headers({ "x-kit-api-key": key, accept: "application/json" });
  } catch {
    return unsent("invalid_key", "the API key contains characters that are not allowed in a header");
  }
  if (request.body !== undefined) headers.set("content-type", "application/json");
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const { method, signal } = request;
  const { fetch, timeoutMs } = options;
  const limits = { timeoutMs, bodyBytes: BODY_CAP_BYTES };
  const ended = await exchange(fetch, { method, url, headers, body, signal }, limits);
  return ended.kind === "answered"
    ? decode(ended, options.now())
    : { kind: "failed", ...failureOf(ended, "Kit") };
}

function unsent(code: TroubleCode, reason: string): KitResponse {
  return { kind: "failed", code, reason, unknown: false };
}

function decode(
  { status, headers, json }: Extract<Exchange, { kind: "answered" }>,
  now: number,
): KitResponse {
  const date = Date.parse(headers.get("date") ?? "");
  const skew = Number.isNaN(date) ? {} : { skewMs: date - now };
  if (status >= 200 && status < 300) {
    const body = success.safeParse(json).data;
    return body
      ? { kind: "ok", status, body, ...skew }
      : unclear(`HTTP ${status} with a body that is not Kit's`);
  }
  // A 303 follows a request that took effect (RFC 9110 §15.4.4); other redirects mean that it did not.
  if (status === 303) return unclear("HTTP 303 instead of a response");
  const errors = problem.safeParse(json).data?.errors;
  const wait = requestedWaitMs(headers, now);
  return {
    kind: "error",
    status,
    ...(errors && { errors }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...skew,
  };
}

function unclear(reason: string): KitResponse {
  return { kind: "failed", code: "unexpected", reason, unknown: true };
}

/** Returns the trouble for a response that does not say what the call needs to know. */
export function trouble(response: KitResponse, effect: Effect): Trouble {
  const limit = response.kind === "error" && response.status === 403 &&
    response.errors?.some((text) => /\bsubscriber limit\b/i.test(text));
  if (limit) {
    return { kind: "trouble", code: "account", reason: "Kit's subscriber limit is reached", unknown: false };
  }
  const isOwn = response.kind === "error" && response.errors !== undefined;
  return responseTrouble("Kit", response, { effect, isOwn });
}

/** Returns whether Kit itself reports that an ID in the path does not exist. */
export function isMissing(response: KitResponse): boolean {
  return response.kind === "error" && response.status === 404 && response.errors !== undefined;
}
