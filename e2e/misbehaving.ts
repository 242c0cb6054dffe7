/** Something between the visitors and the real program that misbehaves on command, as gateways and hosts do. */
import { NAMESPACE } from "../shared/contract.ts";

const CORS = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
const HTML = { ...CORS, "content-type": "text/html; charset=utf-8" };

/** What can be wrong; `none` passes everything on. */
export type Fault = "none" | "down" | "silent" | "html" | "not-found" | "bad-gateway";

/** Parts of the service, by what a visitor is about to do. */
export type Part = "settings" | "token" | "subscribe";
const PATHS: Record<Part, string> = {
  settings: "/cfbe.json",
  token: `${NAMESPACE}/form-token`,
  subscribe: `${NAMESPACE}/subscribe`,
};

export interface Misbehaving extends AsyncDisposable {
  /** In the program's place. */
  baseUrl: string;
  /** Goes wrong from now on. */
  fail(part: Part, fault: Fault): void;
  /** How often a part was asked while it misbehaved. */
  readonly failed: number;
}

/** @param target the program's address */
export function misbehaving(target: string): Misbehaving {
  const faults = new Map<string, Fault>();
  const closing = new AbortController();
  let failed = 0;

  const pass = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers, body } = request;
    return await fetch(target + pathname + search, { method, headers, body, redirect: "manual" });
  };
  const answers: Record<Fault, (request: Request) => Response | Promise<Response>> = {
    none: pass,
    // Its answer ends before it is whole: to the browser, a connection that was cut.
    down: () =>
      new Response(new ReadableStream({ pull: (stream) => stream.error(new Error("cut")) }), {
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
      if (fault === "none" || request.method === "OPTIONS") return await pass(request);
      failed++;
      return await answers[fault](request);
    },
  );
  return {
    baseUrl: `http://127.0.0.1:${server.addr.port}`,
    fail: (part, fault) => void faults.set(PATHS[part], fault),
    get failed() {
      return failed;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await server.shutdown();
    },
  };
}
