import type { MiddlewareHandler } from "hono";
import { refuse } from "../../platform/http/errors.ts";

const FOREIGN = { detail: "The request was sent by a page of another site. Nothing was changed." };

/**
 * Refuses with 403 a request that a page of another origin sent, whatever its credentials are. Requests that only read
 * pass.
 *
 * @param origin of the public URL. The one that the request was sent to is allowed too, because cfbe may be opened under
 * several names.
 * @param required refuses requests without an `Origin` too, on routes that no nonce protects
 */
export function ownOrigin(origin: string, { required = false } = {}): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method === "GET" || c.req.method === "HEAD") return await next();
    const from = c.req.header("origin");
    const site = c.req.header("sec-fetch-site");
    const isOwn = from === undefined
      ? !required && (site === undefined || site === "same-origin" || site === "none")
      : from === origin || from === new URL(c.req.url).origin;
    return isOwn ? await next() : await refuse(c, "forbidden", FOREIGN);
  };
}
