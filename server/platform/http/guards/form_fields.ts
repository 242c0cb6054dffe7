import type { MiddlewareHandler } from "hono";
import type { HasBody } from "./body_limit.ts";

/** The context variables of handlers after `formFields`. The fields are not validated. */
export interface HasFields {
  Variables: { fields: URLSearchParams };
}

/** Reads the fields of a submitted form. Any bytes can be read as fields. Requires `bodyLimit` before it. */
export const formFields: MiddlewareHandler<HasBody & HasFields> = (c, next) => {
  c.set("fields", new URLSearchParams(new TextDecoder().decode(c.var.body)));
  return next();
};
