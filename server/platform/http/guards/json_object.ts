import type { MiddlewareHandler } from "hono";
import { asObject, parseJson } from "../request_body.ts";
import { refuse } from "../errors.ts";
import type { HasBody } from "./body_limit.ts";

/** The context variables of handlers after `jsonObject`. The object's properties are not validated. */
export interface HasJson {
  Variables: { json: Record<string, unknown> };
}

/** Refuses a body that is not a JSON object with 400. Requires `bodyLimit` before it. */
export const jsonObject: MiddlewareHandler<HasBody & HasJson> = async (c, next) => {
  const json = asObject(parseJson(c.var.body));
  if (!json) return refuse(c, "invalid");
  c.set("json", json);
  return await next();
};
