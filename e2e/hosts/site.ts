/** A site behind a cache: a page, and cfbe on the same origin. */
import type { RunningProgram } from "../program.ts";

export interface Site extends AsyncDisposable {
  port: number;
  /** HTML of the page at `/`, which caches can store for an hour. */
  page: string;
  /** Number of requests that reached the site, by method and path. */
  readonly requests: ReadonlyMap<string, number>;
  /** Responds to the next request for a path, instead of cfbe. */
  respondOnce(path: string, response: () => Response): void;
}

/** Starts the site. Requests for anything but the page are passed to cfbe. */
export function startSite(program: RunningProgram): Site {
  const requests = new Map<string, number>();
  const prepared = new Map<string, () => Response>();

  const handle = (request: Request): Response | Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const entry = `${request.method} ${pathname}`;
    requests.set(entry, (requests.get(entry) ?? 0) + 1);
    const response = prepared.get(pathname);
    if (response) {
      prepared.delete(pathname);
      return response();
    }
    if (pathname === "/") {
      return new Response(site.page, {
        headers: { "content-type": "text/html; charset=utf-8", "cache-control": "public, max-age=3600" },
      });
    }
    return fetch(program.baseUrl + pathname + search, {
      method: request.method,
      headers: request.headers,
      body: request.body,
      redirect: "manual",
    });
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, handle);
  const site: Site = {
    port: server.addr.port,
    page: "",
    requests,
    respondOnce: (path, response) => void prepared.set(path, response),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return site;
}
