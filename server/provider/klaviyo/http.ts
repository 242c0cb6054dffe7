import { z } from "zod";
import type { Fetch } from "../../deps.ts";
import { type Exchange, exchange } from "../../http/outbound.ts";
import { failureOf } from "../../http/outbound/failure.ts";
import { requestedWaitMs } from "../../http/outbound/rate_limit.ts";
import { type Effect, responseTrouble } from "../response_trouble.ts";
import type { Trouble, TroubleCode } from "../trouble.ts";

/** The version of the API, which Klaviyo supports for two years. */
const REVISION = "2026-07-15";
const MEDIA_TYPE = "application/vnd.api+json";

/** A JSON:API document. */
export type Document = { data: unknown } & Record<string, unknown>;

/** The result of one request to Klaviyo. */
export type KlaviyoResponse =
  | { kind: "ok"; document: Document; skewMs?: number }
  /** A 202 without a document: Klaviyo will do it later. */
  | { kind: "queued" }
  /** Any other status. `problems` is absent if the body was not Klaviyo's JSON, for example from a proxy. */
  | { kind: "error"; status: number; problems?: Problem[]; retryAfterMs?: number; skewMs?: number }
  /** No usable response. `unknown` if the request may have taken effect. */
  | { kind: "failed"; code: TroubleCode; reason: string; unknown: boolean };

/** What is wrong with a request. Its texts may contain an address, so only the position is kept. */
export interface Problem {
  /** Pointer to the request's member, such as `/data/attributes/email`; empty if there is none. */
  pointer: string;
}

export interface HttpOptions {
  /** URL of the API, without a trailing slash and without `/api`. */
  baseUrl: string;
  apiKey: () => string;
  fetch: Fetch;
  timeoutMs: number;
  /** Unix milliseconds. */
  now: () => number;
}

export interface KlaviyoRequest {
  method: "GET" | "POST";
  /** With `/api` and the query, encoded. */
  path: string;
  body?: { data: unknown };
  /** Whether Klaviyo only queues the request and responds with 202 and no body. */
  isJob?: true;
  signal?: AbortSignal | undefined;
}

/** Sends one request. Never throws. */
export type Send = (request: KlaviyoRequest) => Promise<KlaviyoResponse>;

/** A page of 100 profiles with many properties is below this. */
const BODY_CAP_BYTES = 4 * 1024 * 1024;

const success = z.looseObject({ data: z.unknown() });
const failure = z.object({
  errors: z.array(z.object({
    source: z.object({ pointer: z.string() }).optional().catch(undefined),
  })),
});

/**
 * Sends one request. A reason contains neither the key nor anything from the response. Source:
 * developers.klaviyo.com/en/reference/api_overview.
 */
export async function sendRequest(options: HttpOptions, request: KlaviyoRequest): Promise<KlaviyoResponse> {
  const key = options.apiKey();
  if (key === "") return unsent("not_configured", "no API key is configured");
  const url = URL.parse(options.baseUrl + request.path);
  if (!url || !/^https?:$/.test(url.protocol)) return unsent("not_configured", "Klaviyo's URL is malformed");
  let headers: Headers;
  try {
    headers = new Headers({
      authorization: `Klaviyo-API-Key ${key}`,
      accept: MEDIA_TYPE,
      revision: REVISION,
    });
  } catch {
    return unsent("invalid_key", "the API key contains characters that are not allowed in a header");
  }
  if (request.body !== undefined) headers.set("content-type", MEDIA_TYPE);
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const { method, signal, isJob } = request;
  const { fetch, timeoutMs } = options;
  const limits = { timeoutMs, bodyBytes: BODY_CAP_BYTES };
  const ended = await exchange(fetch, { method, url, headers, body, signal }, limits);
  if (ended.kind !== "answered") return { kind: "failed", ...failureOf(ended, "Klaviyo") };
  return isJob && ended.status === 202 ? { kind: "queued" } : decode(ended, options.now(), isJob);
}

function unsent(code: TroubleCode, reason: string): KlaviyoResponse {
  return { kind: "failed", code, reason, unknown: false };
}

function unclear(reason: string): KlaviyoResponse {
  return { kind: "failed", code: "unexpected", reason, unknown: true };
}

function decode(
  { status, headers, json }: Extract<Exchange, { kind: "answered" }>,
  now: number,
  isJob: boolean | undefined,
): KlaviyoResponse {
  const date = Date.parse(headers.get("date") ?? "");
  const skew = Number.isNaN(date) ? {} : { skewMs: date - now };
  if (status >= 200 && status < 300) {
    const document = success.safeParse(json).data;
    return document && document.data !== undefined && !isJob
      ? { kind: "ok", document, ...skew }
      : unclear(`HTTP ${status} with a body that is not Klaviyo's`);
  }
  // A 303 follows a request that took effect (RFC 9110 §15.4.4); other redirects mean that it did not.
  if (status === 303) return unclear("HTTP 303 instead of a response");
  const found = failure.safeParse(json).data;
  const wait = requestedWaitMs(headers, now);
  return {
    kind: "error",
    status,
    ...(found && { problems: found.errors.map(({ source }) => ({ pointer: source?.pointer ?? "" })) }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...skew,
  };
}

/** Returns the trouble for a response that does not say what the call needs to know. */
export function trouble(response: KlaviyoResponse, effect: Effect): Trouble {
  const isOwn = response.kind === "error" && response.problems !== undefined;
  return responseTrouble("Klaviyo", response, { effect, isOwn });
}

/** Returns whether Klaviyo rejects the address in the request as invalid. */
export function rejectsEmail(response: KlaviyoResponse): boolean {
  return response.kind === "error" && response.status === 400 &&
    (response.problems ?? []).some(({ pointer }) => pointer.endsWith("/email"));
}
