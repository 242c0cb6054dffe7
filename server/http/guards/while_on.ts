import type { MiddlewareHandler } from "hono";

/** Answers 404 while a module is off, as if its routes were not there. */
export function whileOn(isOn: () => boolean): MiddlewareHandler {
  return async (c, next) => isOn() ? await next() : await c.notFound();
}
