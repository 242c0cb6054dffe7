import type { Context } from "hono";
import { refuse } from "../errors.ts";

/** Answers 405 to every other method of a path. Stands behind the route of `method`. */
export function allowOnly(method: "GET" | "POST"): (c: Context) => Response {
  return (c) => {
    c.header("Allow", `${method}, ${method === "GET" ? "HEAD, " : ""}OPTIONS`);
    return refuse(c, "method_not_allowed", { detail: `Use ${method} here.` });
  };
}
