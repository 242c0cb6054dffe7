import type { Fetch } from "../deps.ts";
import { networkMessage } from "./network_message.ts";

/** One request to another server: the email provider, a shop, a cache, a webhook's receiver. */
export interface OutboundRequest {
  method: string;
  url: string | URL;
  headers?: Headers | Record<string, string>;
  body?: string | undefined;
  /** The caller's wish to stop waiting. */
  signal?: AbortSignal | undefined;
}

export interface OutboundLimits {
  /** From the start of the request to the last byte of the answer, milliseconds. */
  timeoutMs: number;
  /** Most bytes that are read of the answer's body. */
  bodyBytes: number;
}

/** How one outgoing request ended. */
export type Exchange =
  /** A whole answer. `json` is undefined when the body was not JSON or was longer than `bodyBytes`. */
  | { kind: "answered"; status: number; headers: Headers; json: unknown }
  /** The request certainly did not reach the server. */
  | { kind: "unsent"; cause: "no connection" | "cancelled"; detail: string }
  /** The request may have taken effect: it left, and no whole answer came back. */
  | { kind: "unclear"; cause: "timeout" | "cancelled" | "broken"; detail: string };

/**
 * Sends one request and reads its answer. Never throws, ends within `timeoutMs`, and leaves nothing behind: no
 * timer, no listener on the caller's signal, no open body.
 *
 * @param fetch `transport` at run time; the sandbox puts itself in front of it
 * @returns `detail` is the network's own message, without the address that was asked
 */
export async function exchange(
  fetch: Fetch,
  { method, url, headers = {}, body, signal }: OutboundRequest,
  { timeoutMs, bodyBytes }: OutboundLimits,
): Promise<Exchange> {
  if (signal?.aborted) return { kind: "unsent", cause: "cancelled", detail: "cancelled before it was sent" };
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    return { kind: "unsent", cause: "no connection", detail: "not an http address" };
  }
  const ending = new AbortController();
  let ended: "timeout" | "cancelled" | undefined;
  const end = (cause: "timeout" | "cancelled") => {
    ended ??= cause;
    ending.abort();
  };
  const cancel = () => end("cancelled");
  const timer = setTimeout(end, timeoutMs, "timeout");
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
      return { kind: "unclear", cause: ended, detail: `no answer within ${timeoutMs} ms` };
    }
    if (ended === "cancelled") return { kind: "unclear", cause: ended, detail: "cancelled" };
    const detail = networkMessage(error);
    if (neverConnected(error)) return { kind: "unsent", cause: "no connection", detail };
    return { kind: "unclear", cause: "broken", detail };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
}

/**
 * Whether the name, the address or the TLS handshake failed. The runtime has no code for it: it says so in the
 * message or, since Deno 2.7, in the cause's message.
 */
function neverConnected(error: unknown): boolean {
  return error instanceof Error && `${error.message} ${error.cause}`.includes("client error (Connect)");
}

/** The body as text, or undefined when it is longer than `cap` bytes. */
async function readCapped(response: Response, cap: number): Promise<string | undefined> {
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

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
