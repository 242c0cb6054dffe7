import { z } from "zod";
import type { Fetch } from "../../deps.ts";
import { type Exchange, exchange } from "../../http/outbound.ts";
import { failureOf } from "../../http/outbound/failure.ts";
import { retryAfterMs } from "../../http/outbound/retry_after.ts";
import type { TroubleCode } from "../port.ts";

/** What one request to the provider came to. */
export type Answer =
  /** A 2xx with the provider's envelope around `result`. */
  | { kind: "result"; status: number; result: unknown; skewMs?: number }
  /** Any other status. `message` is absent when the body was not the provider's: a proxy may have answered. */
  | { kind: "error"; status: number; message?: string; retryAfterMs?: number; skewMs?: number }
  /** It may or may not have taken effect: time-out, reset, a body that makes no sense. */
  | { kind: "broken"; code: TroubleCode; reason: string }
  /** It certainly never arrived: no key, no connection. */
  | { kind: "unsent"; code: TroubleCode; reason: string };

export interface HttpOptions {
  /** Address of the API, without a slash at its end; may carry a path. */
  baseUrl: string;
  apiKey: () => string | undefined;
  fetch: Fetch;
  timeoutMs: number;
  /** Unix milliseconds, for a `Retry-After` that is a date. */
  now: () => number;
}

export interface Call {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** From the base address on, encoded, with its query. */
  path: string;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** A page of 30 subscribers with all their custom fields is far below this. */
const BODY_CAP_BYTES = 1024 * 1024;
const MESSAGE_CAP = 300;

type Answered = Extract<Exchange, { kind: "answered" }>;

const envelope = z.object({
  result: z.unknown().optional(),
  error: z.object({ message: z.string().catch("") }).optional(),
});

/**
 * One request. Never throws: what goes wrong is in the answer. No reason names the key or an address.
 *
 * Source: the documentation's pages "Authentication" and "Response format".
 */
export async function request(options: HttpOptions, call: Call): Promise<Answer> {
  const key = options.apiKey();
  if (!key) return unsent("not_configured", "no API key is configured");
  const url = target(options.baseUrl, call.path);
  if (!url) return unsent("not_configured", "the provider's address or the list id is malformed");
  let headers: Headers;
  try {
    headers = new Headers({ authorization: `Bearer ${key}`, accept: "application/json" });
  } catch {
    return unsent("invalid_key", "the API key holds characters that no header can carry");
  }
  if (call.body !== undefined) headers.set("content-type", "application/json");
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  const { fetch, timeoutMs } = options;
  const ended = await exchange(
    fetch,
    { method: call.method, url, headers, body, signal: call.signal },
    { timeoutMs, bodyBytes: BODY_CAP_BYTES },
  );
  if (ended.kind === "answered") return decode(ended, options.now());
  const { code, reason, unknown } = failureOf(ended, "the provider");
  return { kind: unknown ? "broken" : "unsent", code, reason };
}

function unsent(code: TroubleCode, reason: string): Answer {
  return { kind: "unsent", code, reason };
}

/** Refuses a path that the URL parser would rewrite (`..` survives `encodeURIComponent`). */
function target(baseUrl: string, path: string): URL | undefined {
  const url = URL.parse(baseUrl + path);
  const base = URL.parse(baseUrl);
  if (!url || !base || !/^https?:$/.test(url.protocol)) return undefined;
  const [plain] = path.split("?");
  return url.pathname === base.pathname.replace(/\/$/, "") + plain ? url : undefined;
}

function decode({ status, headers, json }: Answered, now: number): Answer {
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
  // 303 says where to read what the request did (RFC 9110 §15.4.4); other redirects did nothing.
  if (status === 303) return { kind: "broken", code: "unexpected", reason: "HTTP 303 in place of an answer" };
  const answer: Answer = { kind: "error", status, ...skew };
  if (body?.error) answer.message = oneLine(body.error.message);
  const wait = retryAfterMs(headers.get("retry-after"), now);
  if (wait !== undefined) answer.retryAfterMs = wait;
  return answer;
}

/** Fit for a log line, whatever the provider sent. */
function oneLine(message: string): string {
  return message.replace(/\p{Cc}+/gu, " ").trim().slice(0, MESSAGE_CAP);
}
