import type { Context, MiddlewareHandler } from "hono";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A file in each encoding in which it is sent. It is compressed only once, so at the highest level. */
export interface CompressedFile {
  plain: Uint8Array<ArrayBuffer>;
  br: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer>;
}

/** Compresses a file. */
export async function compress(plain: Uint8Array<ArrayBuffer>): Promise<CompressedFile> {
  const [br, zipped] = await Promise.all([
    brotli(plain, constants.BROTLI_MAX_QUALITY),
    gzipped(plain, constants.Z_BEST_COMPRESSION),
  ]);
  return { plain, br, gzip: zipped };
}

const gzipped = async (plain: Uint8Array, level: number) =>
  new Uint8Array(await promisify(gzip)(plain, { level }));

async function brotli(plain: Uint8Array, quality: number): Promise<Uint8Array<ArrayBuffer>> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.byteLength,
  };
  return new Uint8Array(await promisify(brotliCompress)(plain, { params }));
}

/** Scripts that are kept compressed. Each takes about 30 kB of memory. */
const KEPT_SCRIPTS = 100;
/** Takes no longer than the level below it. */
const QUICK_QUALITY = 6;
/** The best compression takes so many times less time than what passes between two of them. */
const REST = 20;

/**
 * Returns a function that compresses scripts which differ by settings. The first request for a script gets a quick
 * compression, of 2 ms instead of 100. A further one begins the best, of one script at a time, for a twentieth of the time
 * in all, so that nobody keeps the server busy by asking for all scripts again and again.
 *
 * @param now milliseconds that pass
 * @returns the function, which takes a text that differs for different scripts, and a function that makes the script
 */
export function scriptCompressor(now = () => performance.now()): (
  hash: string,
  make: () => Uint8Array<ArrayBuffer>,
) => Promise<CompressedFile> {
  const kept = new Map<string, CompressedFile>();
  const best = new WeakSet<CompressedFile>();
  let nextAt = -Infinity;

  async function compressBest(file: CompressedFile) {
    best.add(file);
    nextAt = Infinity;
    const since = now();
    try {
      // Replaces the members, because the file may be in the map at another place by then.
      Object.assign(file, await compress(file.plain));
    } catch {
      // The quick compression stays, and is as correct.
    } finally {
      nextAt = now() + REST * (now() - since);
    }
  }

  async function compressQuickly(plain: Uint8Array<ArrayBuffer>): Promise<CompressedFile> {
    return { plain, br: await brotli(plain, QUICK_QUALITY), gzip: await gzipped(plain, 6) };
  }

  return async (hash, make) => {
    const found = kept.get(hash);
    // The last in the map is the one that was used last.
    kept.delete(hash);
    const file = found ?? await compressQuickly(make());
    kept.set(hash, file);
    if (kept.size > KEPT_SCRIPTS) kept.delete(kept.keys().next().value!);
    if (found && !best.has(file) && now() >= nextAt) void compressBest(file);
    return file;
  };
}

const IS_TEXT = /^(text\/|image\/svg)/;

/**
 * Sends the text files of the routes below in Brotli to clients that accept it. A file is compressed at its first request
 * and again after a change, so the routes must set its ETag.
 */
export function brotliFiles(): MiddlewareHandler {
  const compressed = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  return async (c, next) => {
    await next();
    const { status, headers } = c.res;
    const etag = headers.get("etag")?.replace(/^W\//, "");
    if (
      c.req.method !== "GET" || status !== 200 || !etag || !IS_TEXT.test(headers.get("content-type") ?? "")
    ) {
      return;
    }
    if (bestEncoding(c.req.header("accept-encoding")) !== "br") return;
    let file = compressed.get(etag);
    if (file) await c.res.body?.cancel();
    else compressed.set(etag, file = compressedBody(c, constants.BROTLI_MAX_QUALITY));
    sendBrotli(c, await file);
    // Weak, because every encoding has the same ETag.
    c.header("ETag", `W/${etag}`);
  };
}

/** Takes 3 ms for a page of 200 kB. The next level takes five times as long for 1% less. */
const PAGE_QUALITY = 8;

/** Sends the HTML pages of the routes below in Brotli to clients that accept it. */
export function brotliPages(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (!c.res.body || !/^text\/html/.test(c.res.headers.get("content-type") ?? "")) return;
    if (bestEncoding(c.req.header("accept-encoding")) !== "br") return;
    sendBrotli(c, await compressedBody(c, PAGE_QUALITY));
  };
}

const compressedBody = async ({ res }: Context, quality: number) =>
  await brotli(new Uint8Array(await res.arrayBuffer()), quality);

/** Replaces the body of a response. */
function sendBrotli(c: Context, body: Uint8Array<ArrayBuffer>): void {
  c.res = new Response(body, c.res);
  c.res.headers.delete("Content-Length");
  c.header("Content-Encoding", "br");
  c.header("Vary", "Accept-Encoding");
}

/** Returns the smallest encoding that the client accepts. */
export function bestEncoding(acceptEncoding: string | undefined): "br" | "gzip" | undefined {
  const refused = /;\s*q=0(\.0*)?\s*$/;
  const accepted = (acceptEncoding ?? "").toLowerCase().split(",").filter((part) => !refused.test(part))
    .map((part) => part.split(";")[0]!.trim());
  return (["br", "gzip"] as const).find((name) => accepted.includes(name));
}
