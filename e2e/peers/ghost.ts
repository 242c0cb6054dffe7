/** A page with Ghost's signup form as its admin embeds it, and the two routes of a Ghost server that the form calls. */
import { brotliCompressSync } from "node:zlib";
import { run } from "../process.ts";
import { pageWith } from "./page.ts";

/** Not a dependency: fetched for this measurement only. */
const PACKAGE = "@tryghost/signup-form@0.3.592";

export interface Ghost extends AsyncDisposable {
  name: string;
  origin: string;
}

export async function startGhost(): Promise<Ghost> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-ghost-" });
  await run("npm", ["install", "--no-audit", "--no-fund", "--no-save", "--prefix", folder, PACKAGE]);
  const source = await Deno.readFile(`${folder}/node_modules/@tryghost/signup-form/umd/signup-form.min.js`);
  const script = new Uint8Array(brotliCompressSync(source));
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
    const { origin, pathname } = new URL(url);
    if (pathname === "/signup-form.min.js") {
      return new Response(script, {
        headers: { "content-type": "text/javascript", "content-encoding": "br" },
      });
    }
    if (pathname === "/members/api/integrity-token/") return new Response("token");
    if (pathname === "/members/api/send-magic-link/") return new Response("Created.", { status: 201 });
    return pageWith(
      `<div style="min-height: 58px;max-width: 440px;margin: 0 auto;width: 100%"><script
        src="${origin}/signup-form.min.js" data-button-color="#08090c" data-button-text-color="#FFFFFF"
        data-site="${origin}/" data-locale="en" async></script></div>`,
    );
  });
  return {
    name: PACKAGE,
    origin: `http://127.0.0.1:${server.addr.port}`,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
