import { createHash } from "node:crypto";
import type { Context } from "hono";
import { bestEncoding, compress, type CompressedFile } from "./compression.ts";

/**
 * The built widget, kept in memory: it is a few kilobytes, and every page requests it. A file is compressed at its
 * first request, because compressing all of them takes longer than the rest of a start.
 */
export interface WidgetFiles {
  /** `GET /cfbe.js`: cached briefly and with an ETag, because its URL never changes. */
  loader(c: Context): Response | Promise<Response>;
  /** `GET /cfbe/<name>-<hash>.js`: immutable, because the content at a URL never changes. */
  chunk(c: Context): Response | Promise<Response>;
}

const LOADER_CACHE = "public, max-age=300";
const CHUNK_CACHE = "public, max-age=31536000, immutable";

/**
 * Reads the built widget into memory.
 *
 * @param folder `widget/dist/`, with `cfbe.js` and the folder `cfbe`
 * @throws {Error} if the widget has not been built; the message names the command
 */
export async function readWidget(folder: URL): Promise<WidgetFiles> {
  const loader = await Deno.readFile(new URL("cfbe.js", folder)).catch(() => {
    throw new Error("The widget has not been built: run `deno task build`");
  });
  const etag = `"${createHash("sha256").update(loader).digest("base64url").slice(0, 22)}"`;
  const encodedLoader = once(() => compress(loader));
  const chunks = new Map<string, () => Promise<CompressedFile>>();
  for await (const entry of Deno.readDir(new URL("cfbe/", folder))) {
    if (entry.isFile && entry.name.endsWith(".js")) {
      const chunk = await Deno.readFile(new URL(`cfbe/${entry.name}`, folder));
      chunks.set(entry.name, once(() => compress(chunk)));
    }
  }
  const script = (c: Context, file: CompressedFile, cache: string) => {
    const encoding = bestEncoding(c.req.header("accept-encoding"));
    return c.body(file[encoding ?? "plain"], 200, {
      ...(encoding && { "Content-Encoding": encoding }),
      Vary: "Accept-Encoding",
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": cache,
      // Required to import a module from another origin (decision 16).
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "X-Content-Type-Options": "nosniff",
    });
  };
  return {
    async loader(c) {
      // Weak, because every encoding has the same ETag.
      c.header("ETag", `W/${etag}`);
      if (c.req.header("if-none-match")?.includes(etag)) {
        return c.body(null, 304, { "Cache-Control": LOADER_CACHE, "Access-Control-Allow-Origin": "*" });
      }
      return script(c, await encodedLoader(), LOADER_CACHE);
    },
    async chunk(c) {
      const chunk = chunks.get(c.req.param("file") ?? "");
      return chunk ? script(c, await chunk(), CHUNK_CACHE) : c.notFound();
    },
  };
}

/** Returns a function that calls `make` once, and returns its result at every call. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
