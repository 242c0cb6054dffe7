import type { Handler } from "hono";
import { PAGE_ASSETS_FOLDER } from "../pages/visitor_page.ts";

const STYLES = new URL("./styles/", import.meta.url);

/** Every style sheet of the admin, in the order of the cascade. */
const SHEETS = [
  new URL("tokens.css", PAGE_ASSETS_FOLDER),
  ...[
    "base",
    "frame",
    "parts",
    "forms",
    "buttons",
    "tables",
    "subscribers",
    "sign_in",
    "phones",
    "overview",
    "first_run",
  ].map((name) => new URL(`${name}.css`, STYLES)),
];

/** Returns a handler that sends all style sheets as one file, so that a page waits for one request only. */
export function styleSheet(): Handler {
  let read: Promise<string> | undefined;
  return async (c) => {
    read ??= Promise.all(SHEETS.map((url) => Deno.readTextFile(url))).then((sheets) => sheets.join("\n"));
    // A read that failed, for example because too many files were open, is repeated by the next request.
    const css = await read.catch((error) => {
      read = undefined;
      throw error;
    });
    return c.body(css, 200, { "content-type": "text/css; charset=utf-8", "cache-control": "no-cache" });
  };
}
