import { type Clock, type Fetch, systemClock } from "../deps.ts";
import { networkMessage } from "./network_message.ts";

/** One request to another server: the email provider, a shop, a cache, a webhook's receiver. */
export interface OutboundRequest {
  method: string;
  url: string | URL;
  headers?: Headers | Record<string, string>;
  body?: string | undefined;
  /** Aborted when the caller stops waiting. */
  signal?: AbortSignal | undefined;
}

export interface OutboundLimits {
  /** From the start of the request to the last byte of the response, milliseconds. */
  timeoutMs: number;
  /** Maximum number of bytes to read of the response's body. */
  bodyBytes: number;
  /** By which the timeout runs; the system's by default. */
  timer?: Pick<Clock, "sleep"> | undefined;
}

/** How one outgoing request ended. */
export type Exchange =
  /** The response is complete. `json` is undefined if the body was not JSON or was longer than `bodyBytes`. */
  | { kind: "answered"; status: number; headers: Headers; json: unknown }
  /** The request did not reach the server. */
  | { kind: "unsent"; cause: "no connection" | "cancelled"; detail: string }
  /** The request may have taken effect: it was sent, and no complete response arrived. */
  | { kind: "unclear"; cause: "timeout" | "cancelled" | "broken"; detail: string };

/**
 * Sends one request and reads the response. Never throws, ends within `timeoutMs`, and cleans up: no timer, no
 * listener on the caller's signal and no open body remain.
 *
 * @param fetch `transport` at run time; the sandbox wraps it
 * @returns how it ended; `detail` is the network's own message, without the URL
 */
export async function exchange(
  fetch: Fetch,
  { method, url, headers = {}, body, signal }: OutboundRequest,
  { timeoutMs, bodyBytes, timer = systemClock }: OutboundLimits,
): Promise<Exchange> {
  if (signal?.aborted) return { kind: "unsent", cause: "cancelled", detail: "cancelled before it was sent" };
  const { protocol } = url instanceof URL ? url : URL.parse(url) ?? { protocol: "" };
  if (!/^https?:$/.test(protocol)) {
    return { kind: "unsent", cause: "no connection", detail: "not an HTTP URL" };
  }
  const ending = new AbortController();
  let ended: "timeout" | "cancelled" | undefined;
  const end = (cause: "timeout" | "cancelled") => {
    ended ??= cause;
    ending.abort();
  };
  const cancel = () => end("cancelled");
  const done = new AbortController();
  void timer.sleep(timeoutMs, done.signal).then(() => {
    if (!done.signal.aborted) end("timeout");
  });
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: "manual",
      signal: ending.signal,
    });
    const json = parseJson(await readCapped(response, bodyBytes));
    return { kind: "answered", status: response.status, headers: response.headers, json };
  } catch (error) {
    if (ended === "timeout") {
      return { kind: "unclear", cause: ended, detail: `no response within ${timeoutMs} ms` };
    }
    if (ended === "cancelled") return { kind: "unclear", cause: ended, detail: "cancelled" };
    const detail = networkMessage(error);
    if (neverConnected(error)) return { kind: "unsent", cause: "no connection", detail };
    return { kind: "unclear", cause: "broken", detail };
  } finally {
    done.abort("done");
    signal?.removeEventListener("abort", cancel);
  }
}

/**
 * Returns whether the DNS lookup, the connection or the TLS handshake failed. The runtime has no code for it: it is in
 * the message or, since Deno 2.7, in the cause's message.
 */
function neverConnected(error: unknown): boolean {
  return error instanceof Error && `${error.message} ${error.cause}`.includes("client error (Connect)");
}

/** Returns the body as text, or undefined if it is longer than `cap` bytes. */
async function readCapped(response: Response, cap: number): Promise<string | undefined> {
  if (!response.body) return "";
  if (fits(response.headers, cap)) return await response.text();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  // Leaving the loop early cancels the body and closes the connection.
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > cap) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Returns whether the headers guarantee that the body has at most `cap` bytes. It can then be read in one step, in half
 * the CPU time. A `Content-Length` counts the bytes before decompression, and none if the body is chunked.
 */
function fits(headers: Headers, cap: number): boolean {
  if (headers.has("content-encoding") || headers.has("transfer-encoding")) return false;
  const length = headers.get("content-length");
  return length !== null && /^\d+$/.test(length) && Number(length) <= cap;
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
