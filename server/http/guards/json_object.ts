import type { MiddlewareHandler } from "hono";
import { asObject, parseJson } from "../request_body.ts";
import { refuse } from "../errors.ts";
import type { HasBody } from "./body_limit.ts";

/** What a handler behind `jsonObject` finds in its context. Its members may be anything. */
export interface HasJson {
  Variables: { json: Record<string, unknown> };
}

/** Refuses with 400 a body that is not a JSON object. Stands behind `bodyLimit`. */
export const jsonObject: MiddlewareHandler<HasBody & HasJson> = async (c, next) => {
  const json = asObject(parseJson(c.var.body));
  if (!json) return refuse(c, "invalid");
  c.set("json", json);
  return await next();
};
