import type { Context } from "hono";
import { bestEncoding, compress, type CompressedFile, scriptCompressor } from "./compression.ts";
import { sha256 } from "../keys/sha256.ts";

/**
 * The built widget, kept in memory: it is a few kilobytes, and every page requests it. A file is compressed at its
 * first request, because compressing all of them takes longer than the rest of a start.
 */
export interface WidgetFiles {
  /** `GET /cfbe.js`: cached briefly and with an ETag, because its URL never changes. */
  loader(c: Context): Response | Promise<Response>;
  /**
   * `GET /cfbe.js?form=NAME`: the loader with these parts and settings in it. Cached like settings.
   *
   * @param parts names of parts; each must exist
   * @param settings passed to the loader as JSON
   */
  named(c: Context, parts: readonly string[], settings: unknown): Response | Promise<Response>;
  /** `GET /cfbe/<name>-<hash>.js`: immutable, because the content at a URL never changes. */
  chunk(c: Context): Response | Promise<Response>;
}

const LOADER_CACHE = "public, max-age=300";
/** How long browsers may use public settings without revalidation. */
export const SETTINGS_CACHE = "public, max-age=60";
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
  const etag = etagOf(loader);
  const encodedLoader = once(() => compress(loader));
  const namedLoader = await Deno.readTextFile(new URL("cfbe-named.js", folder));
  const functions = new Map<string, string>();
  const compressScript = scriptCompressor();
  const chunks = new Map<string, () => Promise<CompressedFile>>();
  for await (const entry of Deno.readDir(new URL("cfbe/", folder))) {
    if (entry.isFile && entry.name.endsWith(".js")) {
      const chunk = await Deno.readFile(new URL(`cfbe/${entry.name}`, folder));
      chunks.set(entry.name, once(() => compress(chunk)));
      functions.set(entry.name.replace(/-[^.]*\.js$/, ""), functionOf(new TextDecoder().decode(chunk)));
    }
  }
  const build = sha256(JSON.stringify([namedLoader, ...[...functions].toSorted()]));
  const notModified = (c: Context, etag: string, cache: string) => {
    // Weak, because every encoding has the same ETag.
    c.header("ETag", `W/${etag}`);
    return c.req.header("if-none-match")?.includes(etag)
      ? c.body(null, 304, { "Cache-Control": cache, "Access-Control-Allow-Origin": "*" })
      : undefined;
  };
  const script = (c: Context, file: CompressedFile, cache: string) => {
    const encoding = bestEncoding(c.req.header("accept-encoding"));
    c.header("Vary", "Accept-Encoding", { append: true });
    return c.body(file[encoding ?? "plain"], 200, {
      ...(encoding && { "Content-Encoding": encoding }),
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
      return notModified(c, etag, LOADER_CACHE) ?? script(c, await encodedLoader(), LOADER_CACHE);
    },
    async named(c, parts, settings) {
      const json = JSON.stringify(settings);
      const etag = etagOf(JSON.stringify([build, parts, json]));
      const make = () => {
        const members = parts.map((name) => `${name}:${functions.get(name)}`).join();
        return new TextEncoder().encode(`${namedLoader}({${members}},JSON.parse('${inString(json)}'));\n`);
      };
      return notModified(c, etag, SETTINGS_CACHE) ??
        script(c, await compressScript(etag, make), SETTINGS_CACHE);
    },
    async chunk(c) {
      const chunk = chunks.get(c.req.param("file") ?? "");
      return chunk ? script(c, await chunk(), CHUNK_CACHE) : c.notFound();
    },
  };
}

/** Returns a strong ETag. */
export const etagOf = (body: Uint8Array | string): string => `"${sha256(body).slice(0, 22)}"`;

/**
 * Returns a function expression, as code, that runs a part and returns what it exports. The build makes sure that a part
 * imports nothing and ends with its exports. It is in parentheses, because browsers then compile it at once, and not in
 * two passes.
 */
function functionOf(part: string): string {
  const body = part.replace(/\bexport\{([^{}]*)\};\s*$/, (_, names: string) => {
    const members = names.split(",").map((each) => each.split(" as ").toReversed().join(":"));
    return `return{${members.join()}}`;
  });
  return `(function(){"use strict";${body}})`;
}

/** Escapes JSON for a script's string in single quotes, also for a script inside HTML. */
const inString = (json: string): string =>
  json.replace(
    /[\\'<\u2028\u2029]/g,
    (character) =>
      character === "\\" ? "\\\\" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Returns a function that calls `make` once, and returns its result at every call. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
