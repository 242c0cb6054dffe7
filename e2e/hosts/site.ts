/** A site behind a cache: its page, and the signup service below the same address, as many put it. */
import type { RunningProgram } from "../program.ts";

export interface Site extends AsyncDisposable {
  port: number;
  /** The page at `/`; may be kept for an hour by everybody. */
  page: string;
  /** How often each path was asked for, with its method in front: what no cache answered. */
  readonly asked: ReadonlyMap<string, number>;
  /** Answers the next request for this path, in the service's stead. */
  answerOnce(path: string, answer: () => Response): void;
}

export function startSite(program: RunningProgram): Site {
  const asked = new Map<string, number>();
  const prepared = new Map<string, () => Response>();

  const handle = (request: Request): Response | Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const entry = `${request.method} ${pathname}`;
    asked.set(entry, (asked.get(entry) ?? 0) + 1);
    const answer = prepared.get(pathname);
    if (answer) {
      prepared.delete(pathname);
      return answer();
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
    asked,
    answerOnce: (path, answer) => void prepared.set(path, answer),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return site;
}
