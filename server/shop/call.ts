import type { Fetch } from "../deps.ts";
import { exchange } from "../http/outbound.ts";
import { codeOfStatus, failureOf } from "../http/outbound/failure.ts";
import { retryAfterMs } from "../http/outbound/retry_after.ts";
import type { Trouble } from "../provider/port.ts";

/** What a shop answered. `json` is undefined for what is no JSON: a proxy or a theme may have spoken. */
export interface ShopResponse {
  status: number;
  json: unknown;
  retryAfterMs?: number;
}

export interface CallOptions {
  fetch: Fetch;
  /** Unix milliseconds, for a `Retry-After` that is a date. */
  now: () => number;
  /** 10 s unless given. */
  timeoutMs?: number | undefined;
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
): Promise<ShopResponse | Trouble> {
  let sent: Headers;
  try {
    sent = new Headers({ ...headers, "content-type": "application/json", accept: "application/json" });
  } catch {
    return {
      kind: "trouble",
      code: "invalid_key",
      reason: "the shop's key holds characters that no header can carry",
      unknown: false,
    };
  }
  const ended = await exchange(
    options.fetch,
    { method: "POST", url, headers: sent, body, signal },
    { timeoutMs: options.timeoutMs ?? TIMEOUT_MS, bodyBytes: BODY_CAP_BYTES },
  );
  if (ended.kind !== "answered") return { kind: "trouble", ...failureOf(ended, "the shop") };
  const { status, json } = ended;
  const wait = retryAfterMs(ended.headers.get("retry-after"), options.now());
  return {
    status,
    json,
    ...(wait !== undefined && { retryAfterMs: wait }),
  };
}

/** What an answer means that did not say yes. */
export function troubleOf({ status, retryAfterMs }: ShopResponse, said = ""): Trouble {
  const words = said.replace(/\p{Cc}+/gu, " ").trim().slice(0, MESSAGE_CAP);
  return {
    kind: "trouble",
    code: codeOfStatus(status),
    reason: `the shop answered ${status}${words === "" ? "" : `: ${words}`}`,
    // 303 says where to read what the request did (RFC 9110 §15.4.4); other redirects did nothing.
    unknown: status < 300 || status === 303 || status >= 500,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
