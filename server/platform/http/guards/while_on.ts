import type { MiddlewareHandler } from "hono";

/** Responds with 404 while a module is off, as if its routes did not exist. */
export function whileOn(isOn: () => boolean): MiddlewareHandler {
  return async (c, next) => isOn() ? await next() : await c.notFound();
}
