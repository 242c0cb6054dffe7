import type { z } from "zod";
import type { Clock, Fetch } from "../../platform/deps.ts";
import { type Exchange, exchange } from "../../platform/http/outbound.ts";
import { failureOf } from "../../platform/http/outbound/failure.ts";
import { requestedWaitMs } from "../../platform/http/outbound/rate_limit.ts";
import type { JsonResponse } from "./json_response.ts";
import type { TroubleCode } from "../port/trouble.ts";

export interface JsonRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to the API's URL and encoded, with the query unless that is in `query`. */
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** Sends one request. Never throws. */
export type Send<Body, Problem, Request extends JsonRequest = JsonRequest> = (
  request: Request,
) => Promise<JsonResponse<Body, Problem>>;

export interface ClientOptions {
  /** URL of the API; may contain a path. A function runs before each request. */
  baseUrl: string | (() => string);
  /** Runs before each request, so that a change in the admin takes effect immediately. */
  apiKey: () => string | undefined;
  fetch: Fetch;
  /** Of each request; 10 s by default. */
  timeoutMs?: number;
  /** By which the timeouts run; the system's by default. */
  timer?: Pick<Clock, "sleep">;
  /** Returns Unix milliseconds; the system clock by default. */
  now?: () => number;
}

type Answered = Extract<Exchange, { kind: "answered" }>;

/** What differs between the providers' APIs. */
export interface JsonApi<Body, Problem, Request extends JsonRequest = JsonRequest> {
  /** The provider as reasons call it. */
  name: string;
  /** What the provider calls its key, as reasons call it. */
  credential: "API key" | "API token";
  /** The reason if the URL can't be built from the settings and the request. */
  malformedUrl: string;
  /** Returns the headers that contain the key, or undefined if the key contains a character that no key has. */
  authorization(key: string): Record<string, string> | undefined;
  /** Other headers of every request. */
  headers?: Readonly<Record<string, string>>;
  /** Of requests and responses; `application/json` by default. */
  mediaType?: string;
  /** Maximum number of bytes of a response that are read. */
  bodyBytes: number;
  /** Reads a response with a status of 2xx. Without success, the body is not the provider's. */
  success(answered: Answered, request: Request): { success: true; data: Body } | { success: false };
  /** The body of a response with another status. */
  problem: z.ZodType<Problem>;
}

/** Returns the function that sends a provider's requests. The client's own reasons never contain the key or an address. */
export function jsonClient<Body, Problem, Request extends JsonRequest = JsonRequest>(
  api: JsonApi<Body, Problem, Request>,
  options: ClientOptions,
): Send<Body, Problem, Request> {
  const { fetch, timeoutMs = 10_000, timer, now = Date.now } = options;
  const urlOf = urlBuilder(options.baseUrl);
  return async (request) => {
    const key = options.apiKey();
    if (!key) return unsent("not_configured", `no ${api.credential} is configured`);
    const url = urlOf(request);
    if (!url) return unsent("not_configured", api.malformedUrl);
    const headers = headersOf(api, key, request);
    if (!headers) {
      const reason = `the ${api.credential} contains characters that are not allowed in a header`;
      return unsent("invalid_key", reason);
    }
    const { method, signal } = request;
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const limits = { timeoutMs, bodyBytes: api.bodyBytes, timer };
    const ended = await exchange(fetch, { method, url, headers, body, signal }, limits);
    if (ended.kind !== "answered") return { kind: "failed", ...failureOf(ended, api.name) };
    return decode(api, ended, request, now());
  };
}

/** Returns a function that returns a request's URL, or undefined if the settings or an ID make another one of it. */
function urlBuilder(baseUrl: ClientOptions["baseUrl"]): (request: JsonRequest) => URL | undefined {
  let latest: { base: string; path: string | undefined } | undefined;
  return ({ path, query }) => {
    const base = (typeof baseUrl === "function" ? baseUrl() : baseUrl).replace(/\/+$/, "");
    if (latest?.base !== base) latest = { base, path: URL.parse(base)?.pathname.replace(/\/$/, "") };
    const url = URL.parse(base + path);
    if (!url || latest.path === undefined || !/^https?:$/.test(url.protocol)) return undefined;
    if (query) url.search = new URLSearchParams(query).toString();
    // The URL parser resolves `..`, which `encodeURIComponent` keeps.
    return url.pathname === latest.path + path.split("?")[0] ? url : undefined;
  };
}

function headersOf<Body, Problem, Request extends JsonRequest>(
  { authorization, headers, mediaType = "application/json" }: JsonApi<Body, Problem, Request>,
  key: string,
  { body }: Request,
): Headers | undefined {
  const contentType = body === undefined ? {} : { "content-type": mediaType };
  try {
    const withKey = authorization(key);
    return withKey && new Headers({ ...withKey, accept: mediaType, ...headers, ...contentType });
  } catch {
    return undefined;
  }
}

function decode<Body, Problem, Request extends JsonRequest>(
  api: JsonApi<Body, Problem, Request>,
  answered: Answered,
  request: Request,
  now: number,
): JsonResponse<Body, Problem> {
  const { status, headers, json } = answered;
  const date = Date.parse(headers.get("date") ?? "");
  const skew = Number.isNaN(date) ? {} : { skewMs: date - now };
  if (status >= 200 && status < 300) {
    const read = api.success(answered, request);
    return read.success
      ? { kind: "ok", status, body: read.data, ...skew }
      : unclear(`HTTP ${status} with a body that is not ${api.name}'s`);
  }
  // A 303 follows a request that took effect (RFC 9110 §15.4.4); other redirects mean that it did not.
  if (status === 303) return unclear("HTTP 303 instead of a response");
  const problem = api.problem.safeParse(json);
  const wait = requestedWaitMs(headers, now);
  return {
    kind: "error",
    status,
    ...(problem.success && { problem: problem.data }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...skew,
  };
}

function unsent(code: TroubleCode, reason: string): JsonResponse<never, never> {
  return { kind: "failed", code, reason, unknown: false };
}

function unclear(reason: string): JsonResponse<never, never> {
  return { kind: "failed", code: "unexpected", reason, unknown: true };
}
