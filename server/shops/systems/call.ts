import type { Clock, Fetch } from "../../platform/deps.ts";
import { exchange } from "../../platform/http/outbound.ts";
import { codeOfStatus, failureOf } from "../../platform/http/outbound/failure.ts";
import { retryAfterMs } from "../../platform/http/outbound/retry_after.ts";
import type { Trouble } from "../../providers/port/trouble.ts";

/** A shop's response. `json` is undefined if the body is not JSON, for example from a proxy or a theme. */
export interface ShopResponse {
  status: number;
  json: unknown;
  retryAfterMs?: number;
}

export interface CallOptions {
  fetch: Fetch;
  /** Returns Unix milliseconds, for a `Retry-After` with a date. */
  now: () => number;
  /** By which the timeout runs; the system's by default. */
  timer?: Pick<Clock, "sleep"> | undefined;
}

interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 10_000;
const BODY_CAP_BYTES = 256 * 1024;

/**
 * Sends one POST with JSON to the shop. Never throws. Follows no redirects, which could send the secrets elsewhere.
 * Reasons contain neither URLs nor secrets.
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
      reason: "the shop's key contains characters that are invalid in a header",
      unknown: false,
    };
  }
  const ended = await exchange(
    options.fetch,
    { method: "POST", url, headers: sent, body, signal },
    { timeoutMs: TIMEOUT_MS, bodyBytes: BODY_CAP_BYTES, timer: options.timer },
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

/** Returns an error code of a shop system, or an empty text if it is none: other texts of a shop are not shown. */
export function errorCode(code: unknown): string {
  return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : "";
}

/**
 * Returns the trouble that a response without success means.
 *
 * @param detail an `errorCode`, or what the site's own code says
 */
export function troubleOf({ status, retryAfterMs }: ShopResponse, detail = ""): Trouble {
  return {
    kind: "trouble",
    code: codeOfStatus(status),
    reason: `the shop responded with ${status}${detail === "" ? "" : `: ${detail}`}`,
    // A 303 links to the result of a request (RFC 9110 §15.4.4). Other redirects mean that nothing was done.
    unknown: status < 300 || status === 303 || status >= 500,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
