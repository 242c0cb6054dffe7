import { z } from "zod";
import type { Fetch } from "../../deps.ts";
import { type Exchange, exchange } from "../../http/outbound.ts";
import { codeOfStatus, failureOf } from "../../http/outbound/failure.ts";
import { requestedWaitMs } from "../../http/outbound/rate_limit.ts";
import type { Trouble, TroubleCode } from "../trouble.ts";

/** The result of one request to listmonk. */
export type ListmonkResponse =
  | { kind: "data"; data: unknown; skewMs?: number }
  /** `message` is absent if the body was not listmonk's JSON, for example from a proxy. It contains no address. */
  | { kind: "error"; status: number; message?: string; retryAfterMs?: number; skewMs?: number }
  /** No usable response. `unknown` if the request may have taken effect. */
  | { kind: "failed"; code: TroubleCode; reason: string; unknown: boolean };

export interface HttpOptions {
  /** URL of listmonk; may contain a path. */
  baseUrl: () => string;
  /** `user:token` of an API user. */
  token: () => string;
  fetch: Fetch;
  timeoutMs: number;
  /** Unix milliseconds. */
  now: () => number;
}

export interface ListmonkRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/api`, with the query. */
  path: string;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** Sends one request. Never throws. */
export type Send = (request: ListmonkRequest) => Promise<ListmonkResponse>;

/** A page of 50 subscribers with their attributes is far below this. */
const BODY_CAP_BYTES = 2 * 1024 * 1024;
const MESSAGE_CAP = 300;

const envelope = z.object({ data: z.unknown().optional(), message: z.string().optional().catch(undefined) });

/** Sends one request. A reason contains neither the token nor an email address. Source: listmonk.app/docs/apis. */
export async function sendRequest(options: HttpOptions, request: ListmonkRequest): Promise<ListmonkResponse> {
  const token = options.token();
  if (token === "") return unsent("not_configured", "no API token is configured");
  const url = URL.parse(`${options.baseUrl().replace(/\/+$/, "")}/api${request.path}`);
  if (!url || !/^https?:$/.test(url.protocol)) {
    return unsent("not_configured", "listmonk's URL is missing or malformed");
  }
  let headers: Headers;
  try {
    headers = new Headers({ authorization: `token ${token}`, accept: "application/json" });
  } catch {
    return unsent("invalid_key", "the API token contains characters that are not allowed in a header");
  }
  if (request.body !== undefined) headers.set("content-type", "application/json");
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const { method, signal } = request;
  const { fetch, timeoutMs } = options;
  const ended = await exchange(fetch, { method, url, headers, body, signal }, {
    timeoutMs,
    bodyBytes: BODY_CAP_BYTES,
  });
  if (ended.kind === "answered") return decode(ended, options.now());
  return { kind: "failed", ...failureOf(ended, "listmonk") };
}

function unsent(code: TroubleCode, reason: string): ListmonkResponse {
  return { kind: "failed", code, reason, unknown: false };
}

function decode(
  { status, headers, json }: Extract<Exchange, { kind: "answered" }>,
  now: number,
): ListmonkResponse {
  const body = envelope.safeParse(json).data;
  const date = Date.parse(headers.get("date") ?? "");
  const skew = Number.isNaN(date) ? {} : { skewMs: date - now };
  if (status >= 200 && status < 300) {
    if (body && "data" in body) return { kind: "data", data: body.data, ...skew };
    const reason = `HTTP ${status} with a body that is not listmonk's`;
    return { kind: "failed", code: "unexpected", reason, unknown: true };
  }
  // A 303 follows a request that took effect (RFC 9110 §15.4.4).
  if (status === 303) {
    return { kind: "failed", code: "unexpected", reason: "HTTP 303 instead of a response", unknown: true };
  }
  const wait = requestedWaitMs(headers, now);
  return {
    kind: "error",
    status,
    ...(body?.message !== undefined && { message: plain(body.message) }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...skew,
  };
}

/** Returns the message on one line, shortened, and without the addresses that listmonk puts into some. */
function plain(message: string): string {
  return message.replace(/\S+@\S+/g, "…").replace(/\p{Cc}+/gu, " ").trim().slice(0, MESSAGE_CAP);
}

/** Whether the call changes data. Only then can an unclear response hide an effect. */
export type Effect = "reads" | "writes";

/** Returns the trouble for a response that does not say what the call needs to know. */
export function trouble(response: ListmonkResponse, effect: Effect): Trouble {
  if (response.kind === "failed") {
    const { code, reason, unknown } = response;
    return { kind: "trouble", code, reason, unknown: unknown && effect === "writes" };
  }
  if (response.kind === "data") {
    const reason = "a response that listmonk's documentation does not describe";
    return { kind: "trouble", code: "unexpected", reason, unknown: effect === "writes" };
  }
  const { status, message, retryAfterMs } = response;
  // Without listmonk's JSON, even a 4xx may come from a proxy; only 403 and 429 are unambiguous.
  const isForeign = message === undefined && status !== 403 && status !== 429;
  return {
    kind: "trouble",
    code: codeOfStatus(status),
    reason: `HTTP ${status}${message ? `: ${message}` : ""}`,
    unknown: effect === "writes" && (status >= 500 || (isForeign && status >= 400)),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
