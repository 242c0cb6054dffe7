import type { MiddlewareHandler } from "hono";
import type { Clock } from "../../deps.ts";
import { readBody } from "../request_body.ts";
import { refuse } from "../errors.ts";

/** What a handler behind `bodyLimit` finds in its context. */
export interface HasBody {
  Variables: { body: Uint8Array<ArrayBufferLike> };
}

/**
 * Reads the body, or refuses it with 413 as soon as it is too large. Hono's own `bodyLimit` believes `Content-Length`
 * and waits for a slow body without end; this one counts what arrives, for 10 seconds at most.
 *
 * @param maxBytes asked for each request where it is a function
 */
export function bodyLimit(
  { clock }: { clock: Clock },
  maxBytes: number | (() => number),
): MiddlewareHandler<HasBody> {
  return async (c, next) => {
    const max = typeof maxBytes === "number" ? maxBytes : maxBytes();
    const body = await readBody(c.req.raw, max, clock);
    if (!body) return refuse(c, "too_large");
    c.set("body", body);
    return await next();
  };
}
