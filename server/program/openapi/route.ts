import type { Context } from "hono";
import { loadOnce } from "../../platform/load_once.ts";

const CACHE = "public, max-age=3600";

/**
 * Serves `GET {base_url}/openapi.json`: the HTTP API as OpenAPI 3.1, for tools of any origin. The document and the code
 * that generates it are loaded at the first request.
 */
export function openApiRoute(baseUrl: string) {
  const document = loadOnce(async () => (await import("./document.ts")).openApiDocument(baseUrl));
  return async (c: Context): Promise<Response> => {
    c.header("Cache-Control", CACHE);
    c.header("Access-Control-Allow-Origin", "*");
    return c.json(await document());
  };
}
