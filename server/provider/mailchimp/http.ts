import { z } from "zod";
import type { Fetch } from "../../deps.ts";
import { type Exchange, exchange } from "../../http/outbound.ts";
import { codeOfStatus, failureOf } from "../../http/outbound/failure.ts";
import { requestedWaitMs } from "../../http/outbound/rate_limit.ts";
import { type Effect, responseTrouble } from "../response_trouble.ts";
import type { Trouble, TroubleCode } from "../trouble.ts";

/** The result of one request to Mailchimp. */
export type MailchimpResponse =
  /** A 2xx with a JSON object. A 204 has an empty one. */
  | { kind: "ok"; body: Record<string, unknown>; skewMs?: number }
  /** Any other status. `problem` is absent if the body was not Mailchimp's JSON, for example from a proxy. */
  | { kind: "error"; status: number; problem?: Problem; retryAfterMs?: number; skewMs?: number }
  /** No usable response. `unknown` if the request may have taken effect. */
  | { kind: "failed"; code: TroubleCode; reason: string; unknown: boolean };

/** What Mailchimp says about an error. The detail may contain an address, so it appears in no reason. */
export interface Problem {
  /** In lower case and without spaces, such as `memberexists`. */
  title: string;
  detail: string;
}

export interface HttpOptions {
  /** URL of the API, without a trailing slash; undefined: that of the key's data center. */
  baseUrl: string | undefined;
  apiKey: () => string;
  fetch: Fetch;
  timeoutMs: number;
  /** Unix milliseconds. */
  now: () => number;
}

export interface MailchimpRequest {
  method: "GET" | "POST" | "PUT" | "PATCH";
  /** Relative to the API's URL, encoded, with the query. */
  path: string;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** Sends one request. Never throws. */
export type Send = (request: MailchimpRequest) => Promise<MailchimpResponse>;

/** A page of 500 members with the fields that the adapter requests is far below this. */
const BODY_CAP_BYTES = 2 * 1024 * 1024;

const object = z.record(z.string(), z.unknown());
const problem = z.object({ title: z.string(), status: z.number(), detail: z.string().catch("") });

/** Sends one request. A reason contains neither the key nor anything from the response. */
export async function sendRequest(
  options: HttpOptions,
  request: MailchimpRequest,
): Promise<MailchimpResponse> {
  const key = options.apiKey();
  if (key === "") return unsent("not_configured", "no API key is configured");
  const baseUrl = options.baseUrl ?? apiUrlOf(key);
  if (baseUrl === undefined) {
    return unsent("invalid_key", "the API key does not end with its data center, such as -us6");
  }
  const url = urlOf(baseUrl, request.path);
  if (!url) return unsent("not_configured", "Mailchimp's URL or the audience's ID is malformed");
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return unsent("invalid_key", "the API key contains characters that are not allowed in a header");
  }
  // Mailchimp ignores the user name.
  const headers = new Headers({ authorization: `Basic ${btoa(`cfbe:${key}`)}`, accept: "application/json" });
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  if (body !== undefined) headers.set("content-type", "application/json");
  const { method, signal } = request;
  const { fetch, timeoutMs } = options;
  const limits = { timeoutMs, bodyBytes: BODY_CAP_BYTES };
  const ended = await exchange(fetch, { method, url, headers, body, signal }, limits);
  return ended.kind === "answered"
    ? decode(ended, options.now())
    : { kind: "failed", ...failureOf(ended, "Mailchimp") };
}

/** Returns the URL of the API in the data center that the key ends with, or undefined if it ends with none. */
function apiUrlOf(key: string): string | undefined {
  const [, dataCenter] = /^[^-]+-([a-z]{2}\d{1,3})$/.exec(key) ?? [];
  return dataCenter && `https://${dataCenter}.api.mailchimp.com/3.0`;
}

function unsent(code: TroubleCode, reason: string): MailchimpResponse {
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
): MailchimpResponse {
  const date = Date.parse(headers.get("date") ?? "");
  const skew = Number.isNaN(date) ? {} : { skewMs: date - now };
  if (status === 204) return { kind: "ok", body: {}, ...skew };
  if (status >= 200 && status < 300) {
    const body = object.safeParse(json).data;
    return body
      ? { kind: "ok", body, ...skew }
      : unclear(`HTTP ${status} with a body that is not Mailchimp's`);
  }
  // A 303 follows a request that took effect (RFC 9110 §15.4.4); other redirects mean that it did not.
  if (status === 303) return unclear("HTTP 303 instead of a response");
  const found = problem.safeParse(json).data;
  const wait = requestedWaitMs(headers, now);
  return {
    kind: "error",
    status,
    ...(found && {
      problem: { title: found.title.replace(/\s/g, "").toLowerCase(), detail: found.detail },
    }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...skew,
  };
}

function unclear(reason: string): MailchimpResponse {
  return { kind: "failed", code: "unexpected", reason, unknown: true };
}

/** Returns the trouble for a response that does not say what the call needs to know. */
export function trouble(response: MailchimpResponse, effect: Effect): Trouble {
  const isOwn = response.kind === "error" && response.problem !== undefined;
  return responseTrouble("Mailchimp", response, {
    effect,
    isOwn,
    code: response.kind === "error" ? codeOf(response) : undefined,
  });
}

function codeOf({ status, problem }: Extract<MailchimpResponse, { kind: "error" }>): TroubleCode {
  // More than ten calls at a time get a 429, or a 403 without Mailchimp's JSON.
  if (status === 403 && problem === undefined) return "rate_limited";
  if (problem && ["userdisabled", "compliancerelated"].includes(problem.title)) return "account";
  return codeOfStatus(status);
}

/** Returns whether Mailchimp itself reports a missing record. It does not say whether the audience or the member is missing. */
export function isMissing(response: MailchimpResponse): boolean {
  return response.kind === "error" && response.status === 404 && response.problem !== undefined;
}
