import assert from "node:assert/strict";
import { compress } from "../http/compression.ts";
import { pages } from "./pages/registry.ts";
import { adminHarness } from "./testing.ts";

const BUDGET_BYTES = 60_000;
const MOST_STYLE_SHEETS = 3;

/** Returns the paths of the style sheets, scripts and pictures that a page loads. */
function resourcesOf(html: string): string[] {
  return [...html.matchAll(/<(?:link|script|img)\b[^>]*\b(?:href|src)="([^"]+)"/g)].map(([, path]) => path!);
}

/** Returns the paths of the modules that a script imports, next to its own path. */
function importsOf(script: string, path: string): string[] {
  return [...script.matchAll(/^import (?:.* from )?"\.\/([^"]+)";$/gm)].map(([, name]) =>
    path.replace(/[^/]+$/, name!)
  );
}

async function brotliBytes(text: string): Promise<number> {
  return (await compress(new TextEncoder().encode(text))).br.byteLength;
}

Deno.test("every admin page weighs at most 60 KB in Brotli with all that it loads, in at most three style sheets", async () => {
  await using app = await adminHarness({ settings: { forms: { forms: [{ name: "footer" }] } } });
  const admin = await app.signIn();
  const weights = new Map<string, number>();
  for (const { path } of [{ path: "/login" }, ...pages]) {
    const { html } = await admin.page(path);
    const resources = new Set(resourcesOf(html));
    const sheets = [...resources].filter((each) => each.endsWith(".css"));
    assert.ok(sheets.length > 0 && sheets.length <= MOST_STYLE_SHEETS, `${path}: ${sheets}`);
    let total = await brotliBytes(html);
    for (const each of resources) {
      const response = await app.fetch(each);
      assert.equal(response.status, 200, each);
      const text = await response.text();
      if (each.endsWith(".js")) { for (const imported of importsOf(text, each)) resources.add(imported); }
      if (!weights.has(each)) weights.set(each, await brotliBytes(text));
      total += weights.get(each)!;
    }
    assert.ok(total <= BUDGET_BYTES, `${path}: ${total} bytes`);
  }
});

Deno.test("the style sheet is revalidated with an ETag, and is sent again only after a change", async () => {
  await using app = await adminHarness();
  const first = await app.fetch("/admin/assets/admin.css");
  assert.equal(first.headers.get("cache-control"), "no-cache");
  assert.match(await first.text(), /--bg:[^]*\.topbar[^]*\.stat/);
  const again = await app.fetch("/admin/assets/admin.css", {
    headers: { "if-none-match": first.headers.get("etag")! },
  });
  assert.deepEqual([again.status, await again.text()], [304, ""]);
});
