import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
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

/** Not `fetch`, which writes the Host header itself. */
function send(
  url: URL,
  method: string,
  { path, headers, timeoutMs }: { path: string; headers: Record<string, string>; timeoutMs: number },
): Promise<void> {
  const ask = url.protocol === "https:" ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const asking = ask(url, { method, path, headers, signal, agent: false }, (answer) => {
      answer.resume();
      const { statusCode = 0 } = answer;
      if (statusCode >= 200 && statusCode < 300) answer.on("end", resolve).on("error", reject);
      else reject(new Error(`HTTP ${statusCode}`));
    });
    asking.on("error", reject).end();
  });
}
