import assert from "node:assert/strict";
import { richForm } from "../../../dev/testing/rich_form.ts";
import { pages } from "../page_registry.ts";
import { type AdminHarness, adminHarness, type SignedIn } from "../../../dev/testing/admin_harness.ts";

const BUDGET_BYTES = 60_000;
/** The editor of a form has a budget of its own: 90 kB with its preview (`e2e/admin_states_test.ts`). */
const EDITOR_BUDGET_BYTES = 65_500;
const MOST_STYLE_SHEETS = 3;
/** What every browser sends. */
const ACCEPTED = { "accept-encoding": "gzip, deflate, br" };

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

/** Returns the bytes of a page as a browser gets them, with all style sheets, scripts and pictures. */
async function weightOf(app: AdminHarness, { cookie, page }: SignedIn, path: string) {
  const bytesOf = async (path: string) => {
    const response = await app.fetch(path, { headers: { ...ACCEPTED, cookie } });
    return (await response.arrayBuffer()).byteLength;
  };
  const resources = new Set(resourcesOf((await page(path)).html));
  let total = await bytesOf(`/admin${path}`);
  for (const each of resources) {
    const response = await app.fetch(each);
    assert.equal(response.status, 200, each);
    const text = await response.text();
    if (each.endsWith(".js")) { for (const imported of importsOf(text, each)) resources.add(imported); }
    total += await bytesOf(each);
  }
  return { total, sheets: [...resources].filter((each) => each.endsWith(".css")) };
}

Deno.test("every admin page weighs at most 60 kB with all that it loads, and the editor of a form 65.5, as they are sent, in at most three style sheets", async () => {
  await using app = await adminHarness();
  await app.services.settings.save("forms", { forms: [richForm("footer", app.clock.now())] });
  const admin = await app.signIn();
  const rich = [
    "/form-settings?form=footer",
    "/form-settings?form=footer&locale=de",
    "/experiment?form=footer",
  ];
  for (const path of ["/login", ...pages.map(({ path }) => path), ...rich]) {
    const { total, sheets } = await weightOf(app, admin, path);
    assert.ok(sheets.length > 0 && sheets.length <= MOST_STYLE_SHEETS, `${path}: ${sheets}`);
    const most = path.startsWith("/form-settings") ? EDITOR_BUDGET_BYTES : BUDGET_BYTES;
    assert.ok(total <= most, `${path}: ${total} bytes`);
  }
});

Deno.test("the style sheet is revalidated with an ETag, and is sent again only after a change", async () => {
  await using app = await adminHarness();
  for (const encoding of ["", "gzip", "br"]) {
    const headers = { "accept-encoding": encoding };
    const first = await app.fetch("/admin/assets/admin.css", { headers });
    assert.equal(first.headers.get("cache-control"), "no-cache");
    assert.equal(first.headers.get("content-encoding") ?? "", encoding);
    const body = await first.text();
    if (encoding === "") assert.match(body, /--bg:[^]*\.topbar[^]*\.stat/);
    const again = await app.fetch("/admin/assets/admin.css", {
      headers: { ...headers, "if-none-match": first.headers.get("etag")! },
    });
    assert.deepEqual([again.status, await again.text()], [304, ""], encoding);
  }
});
