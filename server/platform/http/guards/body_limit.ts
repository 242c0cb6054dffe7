import type { MiddlewareHandler } from "hono";
import type { Clock } from "../../deps.ts";
import { readBody } from "../request_body.ts";
import { refuse } from "../errors.ts";

/** The context variables of handlers after `bodyLimit`. */
export interface HasBody {
  Variables: { body: Uint8Array<ArrayBufferLike> };
}

/**
 * Reads the body, or refuses it with 413 as soon as it is too large. Not Hono's `bodyLimit`, because that trusts
 * `Content-Length` and waits for a slow body without a time limit; this one counts the bytes, for at most 10 seconds.
 *
 * @param maxBytes the limit, or a function that is called for each request
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
