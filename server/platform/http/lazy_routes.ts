import type { Context, Hono } from "hono";
import { loadOnce } from "../load_once.ts";

/**
 * Returns a handler that passes every request to routes that are loaded at the first one. Routes that most processes
 * never serve then cost neither start time nor memory.
 *
 * @param load loads the routes, whose paths are those of the requests
 */
export function lazyRoutes(load: () => Promise<Hono>): (c: Context) => Promise<Response> {
  const loaded = loadOnce(load);
  return async (c) => await (await loaded()).fetch(c.req.raw, c.env);
}
