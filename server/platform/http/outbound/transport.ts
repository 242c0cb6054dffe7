import type { Fetch } from "../../deps.ts";

/** Methods that are safe to repeat (RFC 9110 §9.2.1). */
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Opens a connection for each request and keeps none. The runtime's `fetch` repeats a request, even a POST, if a
 * kept-alive connection breaks before the first byte of the response. A provider that stored the first request then
 * responds "already exists" to the second, and the person gets two emails.
 *
 * A `Connection: close` header is not enough: HTTP/2 has no such header, and the connection stays in use. HTTP/2 is
 * disabled because the runtime also repeats a request if an HTTP/2 server refuses it or closes the connection.
 * `node:http` with a keep-alive agent repeats requests as well. A pool that keeps connections and never repeats has
 * another problem: if the server closes an idle connection just as a request is sent, it is unknown whether the request
 * arrived, and such an email is never sent again.
 */
const oncePerConnection = Deno.createHttpClient({ poolMaxIdlePerHost: 0, http2: false, allowHost: true });

/**
 * The only `fetch` that the server calls. Sends a request exactly once, unless its method is safe to repeat (GET,
 * HEAD); those reuse open connections. Does not follow redirects, which could send a key to another host.
 *
 * @throws what `fetch` throws; `exchange` returns it as a result instead
 */
export const transport: Fetch = (input, init = {}) => {
  const sent: RequestInit & { client?: Deno.HttpClient } = { ...init, redirect: "manual" };
  if (!SAFE.has(init.method ?? "GET")) sent.client = oncePerConnection;
  return fetch(input, sent);
};
