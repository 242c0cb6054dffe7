import type { Context } from "hono";
import { openApiDocument } from "./document.ts";

const CACHE = "public, max-age=3600";

/** Serves `GET {base_url}/openapi.json`: the HTTP API as OpenAPI 3.1, for tools of any origin. */
export function openApiRoute(baseUrl: string) {
  let document: ReturnType<typeof openApiDocument> | undefined;
  return (c: Context): Response => {
    c.header("Cache-Control", CACHE);
    c.header("Access-Control-Allow-Origin", "*");
    return c.json(document ??= openApiDocument(baseUrl));
  };
}
