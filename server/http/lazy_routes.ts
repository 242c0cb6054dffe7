import type { Context, Hono } from "hono";

/**
 * Returns a handler that passes every request to routes that are loaded at the first one. Routes that most processes
 * never serve then cost neither start time nor memory.
 *
 * @param load loads the routes, whose paths are those of the requests
 */
export function lazyRoutes(load: () => Promise<Hono>): (c: Context) => Promise<Response> {
  let loading: Promise<Hono> | undefined;
  return async (c) => {
    const routes = await (loading ??= load());
    return await routes.fetch(c.req.raw, c.env);
  };
}
