import type { Fetch } from "../../deps.ts";

/** Methods that a server may see twice without harm (RFC 9110 §9.2.1). */
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Opens a connection for each request and keeps none. The runtime's `fetch` sends a request again, a POST too, when
 * a connection that it kept breaks before the first byte of the answer: a provider that stored the first request
 * answers the second with "exists already", and the person gets two emails.
 *
 * A `Connection: close` header is not enough: HTTP/2 has no such header, and the connection stays in use. HTTP/2 is
 * off because the runtime also repeats a request that an HTTP/2 server refused or closed its connection on. A pool
 * that keeps connections and never repeats has another fault: when the server closes an idle connection just as a
 * request leaves, nobody knows whether that request arrived, and an email of unknown fate is never sent again.
 */
const oncePerConnection = Deno.createHttpClient({ poolMaxIdlePerHost: 0, http2: false, allowHost: true });

/**
 * The only `fetch` that the server calls. Sends a request exactly once unless its method is safe to repeat (GET,
 * HEAD); those share connections that are kept open. Follows no redirect, which could carry a key to another host.
 *
 * @throws what `fetch` throws; `exchange` turns that into a result
 */
export const transport: Fetch = (input, init = {}) => {
  const sent: RequestInit & { client?: Deno.HttpClient } = { ...init, redirect: "manual" };
  if (!SAFE.has(init.method ?? "GET")) sent.client = oncePerConnection;
  return fetch(input, sent);
};
