import type { Handler } from "hono";
import { SHEETS } from "./asset_files.ts";

/** Returns a formatted style sheet without its comments, and without what only makes it easy to read. */
const compact = (css: string) =>
  css.replace(/\/\*[^]*?\*\//g, "").replace(/\n\s+/g, "\n")
    .replace(/^([\w-]+): /gm, "$1:").replace(/ \{\n/g, "{").replace(/([;{}])\n/g, "$1");

/** Returns a handler that sends all style sheets as one file, so that a page waits for one request only. */
export function styleSheet(): Handler {
  let read: Promise<string> | undefined;
  return async (c) => {
    read ??= Promise.all(SHEETS.map((url) => Deno.readTextFile(url))).then((sheets) =>
      compact(sheets.join("\n"))
    );
    // A read that failed, for example because too many files were open, is repeated by the next request.
    const css = await read.catch((error) => {
      read = undefined;
      throw error;
    });
    return c.body(css, 200, { "content-type": "text/css; charset=utf-8", "cache-control": "no-cache" });
  };
}
