/** Serves the folder of a host page, from a site that has nothing in common with the service's. */

/** What the pages call the service, as the README does. */
const SERVICE = "https://news.example";
const TYPES: Record<string, string> = { html: "text/html", css: "text/css", js: "text/javascript" };

export interface HostSite extends AsyncDisposable {
  origin: string;
}

/**
 * A path without a file gets `index.html`, as a shop's or a single-page application's server does it.
 *
 * @param folder its address
 * @param base address of the service, put in where the page names it
 * @param headers of the page; `SERVICE` stands for the service's origin
 */
export function serveHost(folder: URL, base: string, headers: Record<string, string> = {}): HostSite {
  const filled = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    value.replaceAll("SERVICE", new URL(base).origin),
  ]);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === "/favicon.ico") return new Response(null, { status: 204 });
    const [file, extension = "html"] = pathname.match(/^\/[a-z_]+\.(\w+)$/) ?? ["/index.html"];
    const text = await Deno.readTextFile(new URL(`.${file}`, folder));
    return new Response(text.replaceAll(SERVICE, base), {
      headers: [["content-type", `${TYPES[extension]}; charset=utf-8`], ...filled],
    });
  });
  return {
    origin: `http://shop.localhost:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
