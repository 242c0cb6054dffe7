import { z } from "zod";
import type { Fetch } from "../../deps.ts";

/** What one request to the provider came to. */
export type Answer =
  /** A 2xx with the provider's envelope around `result`. */
  | { kind: "result"; status: number; result: unknown; skewMs?: number }
  /** Any other status. `message` is absent when the body was not the provider's: a proxy may have answered. */
  | { kind: "error"; status: number; message?: string; retryAfterMs?: number; skewMs?: number }
  /** It may or may not have taken effect: time-out, reset, a body that makes no sense. */
  | { kind: "broken"; reason: string }
  /** It certainly never arrived: no key, no connection. */
  | { kind: "unsent"; reason: string };

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
const RETRY_AFTER_CAP_MS = 6 * 60 * 60 * 1000;
const MESSAGE_CAP = 300;

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
  if (!key) return { kind: "unsent", reason: "no API key is configured" };
  const url = target(options.baseUrl, call.path);
  if (!url) return { kind: "unsent", reason: "the provider's address or the list id is malformed" };
  let headers: Headers;
  try {
    headers = new Headers({ authorization: `Bearer ${key}`, accept: "application/json" });
  } catch {
    return { kind: "unsent", reason: "the API key holds characters that no header can carry" };
  }
  const init: RequestInit = { method: call.method, headers, redirect: "manual" };
  if (call.body !== undefined) {
    headers.set("content-type", "application/json");
    init.body = JSON.stringify(call.body);
  }
  const timeout = AbortSignal.timeout(options.timeoutMs);
  init.signal = call.signal ? AbortSignal.any([timeout, call.signal]) : timeout;
  try {
    const response = await options.fetch(url, init);
    return decode(response, await readCapped(response, BODY_CAP_BYTES), options.now());
  } catch (error) {
    if (timeout.aborted) return { kind: "broken", reason: `no answer within ${options.timeoutMs} ms` };
    if (call.signal?.aborted) return { kind: "broken", reason: "the caller stopped waiting" };
    if (neverConnected(error)) return { kind: "unsent", reason: "no connection to the provider" };
    // Not the error's own message: it holds the URL, and the URL an address.
    return { kind: "broken", reason: "the connection broke" };
  }
}

/** Name, address or handshake failed; Deno says so in the message or, since 2.7, in the cause's. */
export function neverConnected(error: unknown): boolean {
  return error instanceof Error && `${error.message} ${error.cause}`.includes("client error (Connect)");
}

/** Refuses a path that the URL parser would rewrite (`..` survives `encodeURIComponent`). */
function target(baseUrl: string, path: string): URL | undefined {
  const url = URL.parse(baseUrl + path);
  const base = URL.parse(baseUrl);
  if (!url || !base || !/^https?:$/.test(url.protocol)) return undefined;
  const [plain] = path.split("?");
  return url.pathname === base.pathname.replace(/\/$/, "") + plain ? url : undefined;
}

/** The body as text, or undefined when it is longer than `cap` bytes. */
export async function readCapped(response: Response, cap: number): Promise<string | undefined> {
  if (!response.body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  // Leaving the loop early cancels the body, and with it the connection.
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > cap) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function decode(response: Response, text: string | undefined, now: number): Answer {
  const body = parse(text);
  const date = Date.parse(response.headers.get("date") ?? "");
  const skew = Number.isNaN(date) ? {} : { skewMs: date - now };
  if (response.ok) {
    if (body && body.error === undefined && "result" in body) {
      return { kind: "result", status: response.status, result: body.result, ...skew };
    }
    return { kind: "broken", reason: `HTTP ${response.status} with a body that is not the provider's` };
  }
  const answer: Answer = { kind: "error", status: response.status, ...skew };
  if (body?.error) answer.message = oneLine(body.error.message);
  const wait = retryAfterMs(response.headers.get("retry-after"), now);
  if (wait !== undefined) answer.retryAfterMs = wait;
  return answer;
}

function parse(text: string | undefined): z.infer<typeof envelope> | undefined {
  if (!text) return undefined;
  try {
    return envelope.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Fit for a log line, whatever the provider sent. */
function oneLine(message: string): string {
  return message.replace(/\p{Cc}+/gu, " ").trim().slice(0, MESSAGE_CAP);
}

/**
 * Reads a `Retry-After` header (RFC 9110 §10.2.3): seconds or an HTTP date.
 *
 * @param now Unix milliseconds
 * @returns milliseconds to wait, 0 to 6 h; undefined when there is no header or it makes no sense
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const value = header.trim();
  const seconds = /^\d+$/.test(value);
  // `Date.parse` takes "-5" and "1.5" for dates; an HTTP date has letters.
  const wait = seconds ? Number(value) * 1000 : /[a-z]/i.test(value) ? Date.parse(value) - now : NaN;
  if (Number.isNaN(wait)) return undefined;
  return Math.min(Math.max(wait, 0), RETRY_AFTER_CAP_MS);
}
