import { exchange } from "../http/outbound.ts";
import { transport } from "../http/outbound/transport.ts";
import type { PurgeEvent } from "./types.ts";

export interface VarnishOptions {
  /** Where Varnish listens, like `http://127.0.0.1:6081`; several for several of them. */
  url: string | readonly string[];
  /** The site's host, as visitors name it: Varnish keeps pages by it. */
  host: string;
  /** With `PURGE` the paths of pages, queries included; with `BAN` regular expressions that their paths match. */
  pages: readonly string[];
  /** `PURGE` unless told: each page by its address. `BAN`: all that match, sent as `X-Ban-Url`. */
  method?: "PURGE" | "BAN";
  /** How long each request may take; 4 seconds unless told. */
  timeoutMs?: number;
}

/**
 * A listener for `cfbe_purge_page_cache` that has Varnish forget pages. docs/hooks.md has the VCL that it needs.
 *
 * @throws {TypeError} at once, for an address, host or page that can't be one
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
  if (!/^[\w.-]+(:\d+)?$/.test(host)) throw new TypeError(`host must be like shop.example, not ${host}`);
  const wrong = pages.find((page) => !/^[!-~]+$/.test(page) || (method === "PURGE" && !page.startsWith("/")));
  if (wrong !== undefined) throw new TypeError(`a page must be a path like /news, not ${wrong}`);

  return async () => {
    const wishes = urls.flatMap((url) => pages.map((page) => ({ url, page })));
    // One that fails keeps no other from being forgotten.
    const ends = await Promise.allSettled(wishes.map(({ url, page }) =>
      send(url, method, {
        path: method === "PURGE" ? page : "/",
        headers: { host, ...(method === "BAN" && { "x-ban-url": page }) },
        timeoutMs,
      })
    ));
    const failed = ends.flatMap((end, at) =>
      end.status === "rejected"
        ? [`${wishes[at]!.page} at ${wishes[at]!.url.host}: ${(end.reason as Error).message}`]
        : []
    );
    if (failed.length > 0) throw new Error(`Varnish has not forgotten ${failed.join("; ")}`);
  };
}

/** Varnish's own pages are short; what it says is not read. */
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
