/** A proxy in front of the real server that fails on command, as gateways and hosts do. */
import { NAMESPACE } from "../shared/contract.ts";

const CORS = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
const HTML = { ...CORS, "content-type": "text/html; charset=utf-8" };

/** Failures of the proxy. `none` forwards every request. */
export type ProxyFault = "none" | "down" | "silent" | "html" | "not-found" | "bad-gateway";

/** Routes that can fail. */
export type Route = "settings" | "token" | "subscribe";
const PATHS: Record<Route, string> = {
  settings: "/cfbe.json",
  token: `${NAMESPACE}/form-token`,
  subscribe: `${NAMESPACE}/subscribe`,
};

export interface FaultyProxy extends AsyncDisposable {
  /** URL to use instead of the server's. */
  baseUrl: string;
  /** Makes a route fail from now on. */
  fail(route: Route, fault: ProxyFault): void;
  /** Number of requests that failed. */
  readonly failed: number;
}

/**
 * Starts the proxy.
 *
 * @param target URL of the server
 */
export function startFaultyProxy(target: string): FaultyProxy {
  const faults = new Map<string, ProxyFault>();
  const closing = new AbortController();
  let failed = 0;

  const forward = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers, body } = request;
    return await fetch(target + pathname + search, { method, headers, body, redirect: "manual" });
  };
  const responses: Record<ProxyFault, (request: Request) => Response | Promise<Response>> = {
    none: forward,
    // The response ends early. To the browser, the connection was reset.
    down: () =>
      new Response(new ReadableStream({ pull: (stream) => stream.error(new Error("connection reset")) }), {
        headers: CORS,
      }),
    silent: async () => {
      await new Promise((resolve) => closing.signal.addEventListener("abort", resolve));
      return new Response(null, { status: 504, headers: CORS });
    },
    html: () => new Response("<h1>Welcome to our hotel's network</h1>", { headers: HTML }),
    "not-found": () => new Response("<h1>Not Found</h1>", { status: 404, headers: HTML }),
    "bad-gateway": () => new Response("<h1>502 Bad Gateway</h1>", { status: 502, headers: HTML }),
  };

  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {}, onError: () => new Response(null, { status: 502 }) },
    async (request) => {
      const fault = faults.get(new URL(request.url).pathname) ?? "none";
      if (fault === "none" || request.method === "OPTIONS") return await forward(request);
      failed++;
      return await responses[fault](request);
    },
  );
  return {
    baseUrl: `http://127.0.0.1:${server.addr.port}`,
    fail: (route, fault) => void faults.set(PATHS[route], fault),
    get failed() {
      return failed;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await server.shutdown();
    },
  };
}
