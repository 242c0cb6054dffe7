import type { MiddlewareHandler } from "hono";

const [NAME, VALUE] = ["Cache-Control", "no-store"];

/**
 * Keeps every response out of caches, including errors (contract 1.2). Sets the header first, because Hono copies a
 * response whose headers change; and again for a handler that did not take it over.
 */
export const noStore: MiddlewareHandler = async (c, next) => {
  c.header(NAME, VALUE);
  await next();
  if (c.res.headers.get(NAME) !== VALUE) c.header(NAME, VALUE);
};
