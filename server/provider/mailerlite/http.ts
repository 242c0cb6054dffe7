import { z } from "zod";
import type { Fetch } from "../../deps.ts";
import { type Exchange, exchange } from "../../http/outbound.ts";
import { failureOf } from "../../http/outbound/failure.ts";
import { requestedWaitMs } from "../../http/outbound/rate_limit.ts";
import { type Effect, responseTrouble } from "../response_trouble.ts";
import type { Trouble, TroubleCode } from "../trouble.ts";

/** The result of one request to MailerLite. */
export type MailerliteResponse =
  /** A 2xx with MailerLite's JSON: an object with `data`. */
  | { kind: "ok"; body: { data: unknown } & Record<string, unknown>; skewMs?: number }
  /** Any other status. `problem` is absent if the body was not MailerLite's JSON, for example from a proxy. */
  | { kind: "error"; status: number; problem?: Problem; retryAfterMs?: number; skewMs?: number }
  /** No usable response. `unknown` if the request may have taken effect. */
  | { kind: "failed"; code: TroubleCode; reason: string; unknown: boolean };

/** What MailerLite says about an error. The texts may contain an address, so they appear in no reason. */
export interface Problem {
  message: string;
  /** Texts about the request's members, by their names, such as `groups.0`. */
  errors: Record<string, string[]>;
}

export interface HttpOptions {
  /** URL of the API, without a trailing slash. */
  baseUrl: string;
  apiKey: () => string;
  fetch: Fetch;
  timeoutMs: number;
  /** Unix milliseconds. */
  now: () => number;
}

export interface MailerliteRequest {
  method: "GET" | "POST" | "PUT";
  /** Relative to `baseUrl`, encoded, with the query. */
  path: string;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** Sends one request. Never throws. */
export type Send = (request: MailerliteRequest) => Promise<MailerliteResponse>;

/** A page of 100 groups or 50 subscribers with many fields is far below this. */
const BODY_CAP_BYTES = 2 * 1024 * 1024;

const success = z.looseObject({ data: z.unknown() });
const problem = z.object({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())).catch({}),
});

/**
 * Sends one request. A reason contains neither the key nor anything from the response. Source:
 * developers.mailerlite.com/docs, "Getting started".
 */
export async function sendRequest(
  options: HttpOptions,
  request: MailerliteRequest,
): Promise<MailerliteResponse> {
  const key = options.apiKey();
  if (key === "") return unsent("not_configured", "no API token is configured");
  const url = urlOf(options.baseUrl, request.path);
  if (!url) return unsent("not_configured", "MailerLite's URL or the group's ID is malformed");
  let headers: Headers;
  try {
    headers = new Headers({ authorization: `Bearer ${key}`, accept: "application/json" });
  } catch {
    return unsent("invalid_key", "the API token contains characters that are not allowed in a header");
  }
  headers.set("content-type", "application/json");
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const { method, signal } = request;
  const { fetch, timeoutMs } = options;
  const limits = { timeoutMs, bodyBytes: BODY_CAP_BYTES };
  const ended = await exchange(fetch, { method, url, headers, body, signal }, limits);
  return ended.kind === "answered"
    ? decode(ended, options.now())
    : { kind: "failed", ...failureOf(ended, "MailerLite") };
}

function unsent(code: TroubleCode, reason: string): MailerliteResponse {
  return { kind: "failed", code, reason, unknown: false };
}

/** Returns the URL, or undefined if the URL parser would change the path (`encodeURIComponent` keeps `..`). */
function urlOf(baseUrl: string, path: string): URL | undefined {
  const base = URL.parse(baseUrl);
  const url = URL.parse(baseUrl + path);
  if (!base || !url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.pathname === base.pathname.replace(/\/$/, "") + path.split("?")[0] ? url : undefined;
}

function decode(
  { status, headers, json }: Extract<Exchange, { kind: "answered" }>,
  now: number,
): MailerliteResponse {
  const date = Date.parse(headers.get("date") ?? "");
  const skew = Number.isNaN(date) ? {} : { skewMs: date - now };
  if (status >= 200 && status < 300) {
    const body = success.safeParse(json).data;
    return body && body.data !== undefined ? { kind: "ok", body, ...skew } : unclear(
      `HTTP ${status} with a body that is not MailerLite's`,
    );
  }
  // A 303 follows a request that took effect (RFC 9110 §15.4.4); other redirects mean that it did not.
  if (status === 303) return unclear("HTTP 303 instead of a response");
  const found = problem.safeParse(json).data;
  const wait = requestedWaitMs(headers, now);
  return {
    kind: "error",
    status,
    ...(found && { problem: found }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...skew,
  };
}

function unclear(reason: string): MailerliteResponse {
  return { kind: "failed", code: "unexpected", reason, unknown: true };
}

/** Returns the trouble for a response that does not say what the call needs to know. */
export function trouble(response: MailerliteResponse, effect: Effect): Trouble {
  const isOwn = response.kind === "error" && response.problem !== undefined;
  return responseTrouble("MailerLite", response, { effect, isOwn });
}

/** Returns whether MailerLite itself reports a missing record. A missing route means that the URL is wrong. */
export function isMissing(response: MailerliteResponse): boolean {
  return response.kind === "error" && response.status === 404 && response.problem !== undefined &&
    !/^the route\b/i.test(response.problem.message);
}
