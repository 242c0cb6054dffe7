import type { MiddlewareHandler } from "hono";

/** Keeps every response out of caches, including errors (contract 1.2). */
export const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  c.res.headers.set("Cache-Control", "no-store");
};
