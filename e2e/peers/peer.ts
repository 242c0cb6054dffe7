/** A signup form to measure, on a page of a shop. */
import { brotliCompressSync } from "node:zlib";

interface Named {
  /** Heading of the form's column. */
  name: string;
}

/** A page with a form. */
export interface PeerPage extends AsyncDisposable, Named {
  url: string;
}

/** A page with a button, its first element that can be focused, which opens a form. */
export interface PopupPeer extends PeerPage {
  /** Selector of what closes the form. */
  close: string;
}

/** A page that shows a form. */
export interface Peer extends PeerPage {
  /** Path of the request that signs the visitor up. */
  signupPath: string;
  /** Keys that submit the form, after the email address was typed. */
  submitKeys: string[];
}

/** Returns a page with a form, and text below it, which moves if the form needs more room than the page reserves. */
function pageWith(form: string): Response {
  return new Response(
    `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
      <h1>A shop</h1>${form}<p>Text below the form.</p></html>`,
    { headers: { "content-type": "text/html; charset=utf-8" } },
  );
}

/** Returns a responder with a file, compressed with Brotli. */
export function compressed(source: string | Uint8Array, type: string): () => Response {
  const bytes = new Uint8Array(brotliCompressSync(source));
  return () => new Response(bytes, { headers: { "content-type": type, "content-encoding": "br" } });
}

/**
 * Starts a server with the page of a form.
 *
 * @param form the form's markup, given the server's origin
 * @param routes responders by path. Every other path is the page
 */
export function servePeer<P extends Named>(
  peer: P,
  form: (origin: string) => string,
  routes: Record<string, (url: URL) => Response> = {},
): P & PeerPage {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const url = new URL(request.url);
    return routes[url.pathname]?.(url) ?? pageWith(form(url.origin));
  });
  return {
    ...peer,
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
