import type { MiddlewareHandler } from "hono";

/** Keeps every response out of caches, refusals and errors included (contract 1.2). */
export const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("Cache-Control", "no-store");
};
