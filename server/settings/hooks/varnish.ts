import { exchange } from "../../platform/http/outbound.ts";
import { transport } from "../../platform/http/outbound/transport.ts";
import type { PurgeEvent } from "./types.ts";

export interface VarnishOptions {
  /** URL of the Varnish server, such as `http://127.0.0.1:6081`, or of several servers. */
  url: string | readonly string[];
  /** The site's public host name, which Varnish uses in its cache keys. */
  host: string;
  /** With `PURGE`, paths of pages including the query; with `BAN`, regular expressions that match paths. */
  pages: readonly string[];
  /**
   * `PURGE` (default) removes each page by its URL. `BAN` removes all matching pages; the expression is sent
   * as `X-Ban-Url`.
   */
  method?: "PURGE" | "BAN";
  /** Timeout per request in milliseconds; 4 seconds by default. */
  timeoutMs?: number;
}

/**
 * Returns a listener for `cfbe_purge_page_cache` that removes pages from Varnish. docs/hooks.md has the VCL
 * it requires.
 *
 * @throws {TypeError} immediately, for an invalid URL, host or page
 * @example
 * ```ts
 * actions: {
 *   cfbe_purge_page_cache: purgeVarnish({ url: "http://127.0.0.1:6081", host: "shop.example", pages: ["/"] }),
 * }
 * ```
 */
export function purgeVarnish(options: VarnishOptions): (event: PurgeEvent) => Promise<void> {
  const { host, pages, method = "PURGE", timeoutMs = 4_000 } = options;
  const urls = [options.url].flat().map((url) => new URL(url));
  if (!urls.every(isServer)) {
    throw new TypeError(
      "url must be like http://127.0.0.1:6081, without a user, a password, a path or a query",
    );
  }
  if (!/^[\w.-]+(:\d+)?$/.test(host)) {
    throw new TypeError(`host must be a host name such as shop.example, not ${host}`);
  }
  const wrong = pages.find((page) => !/^[!-~]+$/.test(page) || (method === "PURGE" && !page.startsWith("/")));
  if (wrong !== undefined) throw new TypeError(`a page must be a path such as /news, not ${wrong}`);

  return async () => {
    const purges = urls.flatMap((url) => pages.map((page) => ({ url, page })));
    // One failed request does not stop the others.
    const ends = await Promise.allSettled(purges.map(({ url, page }) =>
      send(url, method, {
        path: method === "PURGE" ? page : "/",
        headers: { host, ...(method === "BAN" && { "x-ban-url": page }) },
        timeoutMs,
      })
    ));
    const failed = ends.flatMap((end, at) =>
      end.status === "rejected"
        ? [`${purges[at]!.page} at ${purges[at]!.url.host}: ${(end.reason as Error).message}`]
        : []
    );
    if (failed.length > 0) throw new Error(`Varnish did not purge ${failed.join("; ")}`);
  };
}

/** Returns whether a URL names only a server. Every other part would be ignored, or end up in an error. */
function isServer({ protocol, username, password, pathname, search, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && username + password + search + hash === "" && pathname === "/";
}

/** Limit for Varnish's response, which is short and not used. */
const BODY_BYTES = 64 * 1024;

async function send(
  url: URL,
  method: string,
  { path, headers, timeoutMs }: { path: string; headers: Record<string, string>; timeoutMs: number },
): Promise<void> {
  const ended = await exchange(
    transport,
    { method, url: url.origin + path, headers },
    { timeoutMs, bodyBytes: BODY_BYTES },
  );
  if (ended.kind !== "answered") throw new Error(ended.detail);
  if (ended.status < 200 || ended.status >= 300) throw new Error(`HTTP ${ended.status}`);
}
