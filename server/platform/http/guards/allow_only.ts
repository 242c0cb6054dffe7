import type { Context } from "hono";
import { refuse } from "../errors.ts";

/** Refuses every other method of a path with 405. Register it after the route for `method`. */
export function allowOnly(method: "GET" | "POST"): (c: Context) => Promise<Response> {
  return (c) => {
    c.header("Allow", `${method}, ${method === "GET" ? "HEAD, " : ""}OPTIONS`);
    return refuse(c, "method_not_allowed", { detail: `Use ${method} here.` });
  };
}
