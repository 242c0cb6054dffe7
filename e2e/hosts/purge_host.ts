/**
 * Purging pages from a real Varnish after a save of settings, with the VCL in docs/hooks.md.
 *
 * Run by `deno task test:hosts`.
 */
import assert from "node:assert/strict";
import { purgeVarnish } from "../../server/settings/hooks/varnish.ts";
import { startProgram } from "../../dev/testing/program.ts";
import { waitUntil } from "../program.ts";
import { type CacheKind, startCache } from "./cache.ts";
import { varnish } from "./varnish.ts";

const PAGE = Deno.readTextFileSync(new URL("../../docs/hooks.md", import.meta.url));
const VCL = /^```vcl\n([^]*?)^```$/m.exec(PAGE)![1]!;
const purging: CacheKind = { ...varnish, config: (setup) => varnish.config(setup) + VCL };
const SOON_MS = 5_000;

for (
  const [method, pages, purged] of [
    ["PURGE", ["/", "/news?a=1"], ["/", "/news?a=1"]],
    ["BAN", ["^/news"], ["/news?a=1", "/news?a=2"]],
  ] as const
) {
  Deno.test(`saving settings purges the configured pages from a real Varnish, and no others (${method})`, async () => {
    const site = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () => new Response("a page", { headers: { "cache-control": "public, max-age=3600" } }),
    );
    try {
      await using cache = await startCache(purging, site.addr.port);
      const host = new URL(cache.url).host;
      const listener = purgeVarnish({ url: cache.url, host, pages, method });
      await using program = await startProgram({ file: { actions: { cfbe_purge_page_cache: listener } } });

      const all = ["/", "/news?a=1", "/news?a=2", "/about"];
      const fromCache = async (path: string) => {
        const response = await fetch(cache.url + path);
        await response.body?.cancel();
        return response.headers.get("x-cache") === "HIT";
      };
      for (const path of all) {
        await fromCache(path);
        assert.ok(await fromCache(path), `${path} is cached`);
      }
      await program.services.settings.save("form", { texts: { success: "Thank you" } });
      for (const path of purged) {
        await waitUntil(`${path} is purged`, SOON_MS, async () => !await fromCache(path));
      }
      for (const path of all.filter((path) => !(purged as readonly string[]).includes(path))) {
        assert.ok(await fromCache(path), `${path} is still cached`);
      }
      assert.ok(!program.lines.some((line) => line.includes("hook.")), program.lines.join("\n"));
    } finally {
      await site.shutdown();
    }
  });
}

Deno.test("if Varnish rejects the purge, the settings are still saved, and the log names the pages", async () => {
  const site = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response("a page"),
  );
  try {
    const closed: CacheKind = {
      ...purging,
      config: (setup) => purging.config(setup).replace(/"127\.0\.0\.1";\s*"::1";/, '"192.0.2.1";'),
    };
    await using cache = await startCache(closed, site.addr.port);
    const listener = purgeVarnish({ url: cache.url, host: "shop.example", pages: ["/"] });
    await using program = await startProgram({ file: { actions: { cfbe_purge_page_cache: listener } } });
    await program.services.settings.save("popup", { enabled: true });
    await waitUntil("the failure is logged", SOON_MS, () =>
      Promise.resolve(
        program.lines.some((line) => /hook\.failed.*did not purge \/ at .*HTTP 405/.test(line)),
      ));
    assert.equal(program.services.settings.current().popup.enabled, true);
  } finally {
    await site.shutdown();
  }
});
