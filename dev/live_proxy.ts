/**
 * A proxy in front of the server in development. It adds a script to the pages of the demo and the admin, and that
 * script reloads the page when the proxy says so. It serves the built widget, so that a new build needs no restart. The
 * server itself knows nothing of it.
 */

/** The pages that reload themselves. */
const LIVE = /^\/(demo|admin)(\/|$)/;
const SCRIPT_PATH = "/dev-reload.js";
const EVENTS_PATH = "/dev-reload";
// A file of the page's own origin: the pages' Content-Security-Policy allows no inline script.
const SCRIPT = `new EventSource("${EVENTS_PATH}").onmessage = () => location.reload();\n`;
const TAG = `<script src="${SCRIPT_PATH}"></script>`;
/** The loader and its parts. */
const WIDGET = /^\/cfbe(\/[\w-]+)?\.js$/;
const WAITING = `<!doctype html><title>Starting</title><p>The server is starting. This page reloads.</p>`;

export interface LiveProxy {
  fetch(request: Request): Promise<Response>;
  /** Reloads every open page. */
  reload(): void;
}

/**
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
    // A connection kept open would hold up the server's restart.
    headers.set("connection", "close");
    const answer = await fetch(target + pathname + search, {
      method: request.method,
      headers,
      body: request.body,
      redirect: "manual",
    });
    const isPage = answer.headers.get("content-type")?.startsWith("text/html");
    if (!isPage || !LIVE.test(pathname)) return answer;
    const changed = new Headers(answer.headers);
    changed.delete("content-length");
    return new Response(await answer.text() + TAG, { status: answer.status, headers: changed });
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
