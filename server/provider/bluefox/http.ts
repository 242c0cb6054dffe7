import { z } from "zod";
import type { Fetch } from "../../deps.ts";
import { type Exchange, exchange } from "../../http/outbound.ts";
import { failureOf } from "../../http/outbound/failure.ts";
import { requestedWaitMs } from "../../http/outbound/rate_limit.ts";
import type { TroubleCode } from "../trouble.ts";

/** The result of one request to the provider. */
export type BluefoxResponse =
  /** A 2xx with the provider's JSON around `result`. */
  | { kind: "result"; status: number; result: unknown; skewMs?: number }
  /** Any other status. `message` is absent if the body was not the provider's JSON, for example from a proxy. */
  | { kind: "error"; status: number; message?: string; retryAfterMs?: number; skewMs?: number }
  /** The request may have taken effect: timeout, reset, invalid body. */
  | { kind: "broken"; code: TroubleCode; reason: string }
  /** The request did not reach the provider: no key, no connection. */
  | { kind: "unsent"; code: TroubleCode; reason: string };

export interface HttpOptions {
  /** URL of the API, without a trailing slash; may contain a path. */
  baseUrl: string;
  apiKey: () => string | undefined;
  fetch: Fetch;
  timeoutMs: number;
  /** Unix milliseconds, for a `Retry-After` that is a date. */
  now: () => number;
}

export interface BluefoxRequest {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Relative to `baseUrl`, encoded, with the query. */
  path: string;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** Sends one request. Never throws. */
export type Send = (request: BluefoxRequest) => Promise<BluefoxResponse>;

/** A page of 30 subscribers with all their custom fields is far below this. */
const BODY_CAP_BYTES = 1024 * 1024;
const MESSAGE_CAP = 300;

type Answered = Extract<Exchange, { kind: "answered" }>;

const envelope = z.object({
  result: z.unknown().optional(),
  error: z.object({ message: z.string().catch("") }).optional(),
});

/**
 * Sends one request. Never throws: failures are in the response. A reason never contains the key or an email address.
 *
 * Source: the documentation's pages "Authentication" and "Response format".
 */
export async function sendRequest(options: HttpOptions, request: BluefoxRequest): Promise<BluefoxResponse> {
  const key = options.apiKey();
  if (!key) return unsent("not_configured", "no API key is configured");
  const url = urlOf(options.baseUrl, request.path);
  if (!url) return unsent("not_configured", "the provider's URL or the list ID is malformed");
  let headers: Headers;
  try {
    headers = new Headers({ authorization: `Bearer ${key}`, accept: "application/json" });
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
  const { code, reason, unknown } = failureOf(ended, "the provider");
  return { kind: unknown ? "broken" : "unsent", code, reason };
}

function unsent(code: TroubleCode, reason: string): BluefoxResponse {
  return { kind: "unsent", code, reason };
}

/** Returns the URL, or undefined if the URL parser would change the path (`encodeURIComponent` keeps `..`). */
function urlOf(baseUrl: string, path: string): URL | undefined {
  const url = URL.parse(baseUrl + path);
  const basePath = pathOf(baseUrl);
  if (!url || basePath === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  const [plain] = path.split("?");
  return url.pathname === basePath + plain ? url : undefined;
}

/** The latest result of `pathOf`, because the API has one URL. */
let latestBase: { url: string; path: string | undefined } | undefined;

/** Returns the path of a URL without a trailing slash, or undefined if the URL is invalid. */
function pathOf(url: string): string | undefined {
  if (latestBase?.url !== url) latestBase = { url, path: URL.parse(url)?.pathname.replace(/\/$/, "") };
  return latestBase.path;
}

function decode({ status, headers, json }: Answered, now: number): BluefoxResponse {
  const body = envelope.safeParse(json).data;
  const date = Date.parse(headers.get("date") ?? "");
  const skew = Number.isNaN(date) ? {} : { skewMs: date - now };
  if (status >= 200 && status < 300) {
    if (body && body.error === undefined && "result" in body) {
      return { kind: "result", status, result: body.result, ...skew };
    }
    const reason = `HTTP ${status} with a body that is not the provider's`;
    return { kind: "broken", code: "unexpected", reason };
  }
  // A 303 follows a request that took effect (RFC 9110 §15.4.4); other redirects mean that it did not.
  if (status === 303) {
    return { kind: "broken", code: "unexpected", reason: "HTTP 303 instead of a response" };
  }
  const response: BluefoxResponse = { kind: "error", status, ...skew };
  if (body?.error) response.message = oneLine(body.error.message);
  const wait = requestedWaitMs(headers, now);
  if (wait !== undefined) response.retryAfterMs = wait;
  return response;
}

/** Returns the message on one line, shortened for the log. */
function oneLine(message: string): string {
  return message.replace(/\p{Cc}+/gu, " ").trim().slice(0, MESSAGE_CAP);
}
