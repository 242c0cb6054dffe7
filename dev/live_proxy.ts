/**
 * A proxy in front of the server for development. It adds a script to the pages of the demo and the admin that reloads
 * the page after a change. It serves the built widget, so that a new build needs no restart. The server does not depend
 * on it.
 */

/** The pages that reload themselves. */
const LIVE = /^\/(demo|admin)(\/|$)/;
const SCRIPT_PATH = "/dev-reload.js";
const EVENTS_PATH = "/dev-reload";
// A separate file, because the pages' Content-Security-Policy allows no inline scripts.
const SCRIPT = `new EventSource("${EVENTS_PATH}").onmessage = () => location.reload();\n`;
const TAG = `<script src="${SCRIPT_PATH}"></script>`;
/** The loader and its chunks. */
const WIDGET = /^\/cfbe(\/[\w-]+)?\.js$/;
const WAITING = `<!doctype html><title>Starting</title><p>The server is starting. This page reloads.</p>`;

export interface LiveProxy {
  fetch(request: Request): Promise<Response>;
  /** Reloads every open page. */
  reload(): void;
}

/**
 * Creates the proxy.
 *
 * @param target where the server listens, such as `http://127.0.0.1:8001`
 * @param widget the folder with the built widget
 */
export function createLiveProxy(target: string, widget: string): LiveProxy {
  const pages = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();

  const script = (code: BodyInit) =>
    new Response(code, {
      headers: {
        "content-type": "text/javascript",
        "cache-control": "no-store",
        "access-control-allow-origin": "*",
      },
    });

  function events(): Response {
    let page: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        page = controller;
        pages.add(page);
        page.enqueue(encoder.encode(": open\n\n"));
      },
      cancel: () => void pages.delete(page),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  async function forward(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set("accept-encoding", "identity");
    // An open connection would delay the server's restart.
    headers.set("connection", "close");
    const response = await fetch(target + pathname + search, {
      method: request.method,
      headers,
      body: request.body,
      redirect: "manual",
    });
    const isPage = response.headers.get("content-type")?.startsWith("text/html");
    if (!isPage || !LIVE.test(pathname)) return response;
    const changed = new Headers(response.headers);
    changed.delete("content-length");
    return new Response(await response.text() + TAG, { status: response.status, headers: changed });
  }

  return {
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === EVENTS_PATH) return Promise.resolve(events());
      if (pathname === SCRIPT_PATH) {
        return Promise.resolve(script(SCRIPT));
      }
      if (WIDGET.test(pathname)) {
        return Deno.readFile(widget + pathname).then(script, () => new Response(null, { status: 404 }));
      }
      return forward(request).catch(() =>
        new Response(WAITING + TAG, { status: 503, headers: { "content-type": "text/html" } })
      );
    },
    reload() {
      for (const page of pages) page.enqueue(encoder.encode("data: reload\n\n"));
    },
  };
}
