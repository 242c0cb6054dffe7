/** Serves the folder of a host page, from another site than the server's. */

/** Origin of the server in the pages, as in the README. */
const SERVICE = "https://news.example";
const TYPES: Record<string, string> = { html: "text/html", css: "text/css", js: "text/javascript" };

export interface HostSite extends AsyncDisposable {
  origin: string;
}

/**
 * Starts the site. It responds with `index.html` to paths without a file, as single-page apps do.
 *
 * @param folder URL of the folder
 * @param base URL of the server, which replaces the one in the pages
 * @param headers response headers; `SERVICE` stands for the server's origin
 */
export function serveHost(folder: URL, base: string, headers: Record<string, string> = {}): HostSite {
  const replaced = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    value.replaceAll("SERVICE", new URL(base).origin),
  ]);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === "/favicon.ico") return new Response(null, { status: 204 });
    const [file, extension = "html"] = pathname.match(/^\/[a-z_]+\.(\w+)$/) ?? ["/index.html"];
    const text = await Deno.readTextFile(new URL(`.${file}`, folder));
    return new Response(text.replaceAll(SERVICE, base), {
      headers: [["content-type", `${TYPES[extension]}; charset=utf-8`], ...replaced],
    });
  });
  return {
    origin: `http://shop.localhost:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
