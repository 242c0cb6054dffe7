import type { Fetch } from "../deps.ts";
import { parseJson } from "../http/counted_body.ts";
import { neverConnected, readCapped, retryAfterMs } from "../provider/bluefox/http.ts";
import type { Trouble } from "../provider/port.ts";

/** What a shop answered. `json` is undefined for what is no JSON: a proxy or a theme may have spoken. */
export interface ShopAnswer {
  status: number;
  json: unknown;
  retryAfterMs?: number;
}

export interface CallOptions {
  fetch: Fetch;
  /** Unix milliseconds, for a `Retry-After` that is a date. */
  now: () => number;
  timeoutMs?: number;
}

interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 10_000;
const BODY_CAP_BYTES = 256 * 1024;
const MESSAGE_CAP = 200;

/**
 * One POST of JSON to the shop. Never throws, follows no redirect (it would carry the secrets elsewhere), and names
 * neither address nor secret in a reason.
 */
export async function post(
  options: CallOptions,
  { url, headers, body, signal }: Post,
): Promise<ShopAnswer | Trouble> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  let sent: Headers;
  try {
    sent = new Headers({ ...headers, "content-type": "application/json", accept: "application/json" });
  } catch {
    return {
      kind: "trouble",
      reason: "the shop's key holds characters that no header can carry",
      unknown: false,
    };
  }
  try {
    const response = await options.fetch(url, {
      method: "POST",
      headers: sent,
      body,
      redirect: "manual",
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    });
    const text = await readCapped(response, BODY_CAP_BYTES);
    const wait = retryAfterMs(response.headers.get("retry-after"), options.now());
    return {
      status: response.status,
      json: text === undefined ? undefined : parseJson(new TextEncoder().encode(text)),
      ...(wait !== undefined && { retryAfterMs: wait }),
    };
  } catch (error) {
    const trouble = (reason: string, unknown: boolean): Trouble => ({ kind: "trouble", reason, unknown });
    if (timeout.aborted) return trouble("the shop did not answer in time", true);
    if (signal?.aborted) return trouble("the caller stopped waiting", true);
    if (neverConnected(error)) return trouble("no connection to the shop", false);
    return trouble("the connection to the shop broke", true);
  }
}

/** What an answer means that did not say yes. */
export function refusal({ status, retryAfterMs }: ShopAnswer, said = ""): Trouble {
  const words = said.replace(/\p{Cc}+/gu, " ").trim().slice(0, MESSAGE_CAP);
  return {
    kind: "trouble",
    reason: `the shop answered ${status}${words === "" ? "" : `: ${words}`}`,
    unknown: status < 300 || status >= 500,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
