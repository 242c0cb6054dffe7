/** Accessibility of every admin page, in a real browser. */
import assert from "node:assert/strict";
import { pages } from "../server/admin/page_registry.ts";
import { type AdminVisit, visitAdmin } from "./admin_pages.ts";

let visiting: Promise<AdminVisit> | undefined;
let signingIn: Promise<void> | undefined;
Deno.test.afterAll(async () => await (await visiting)?.[Symbol.asyncDispose]());

function pageTest(path: string, open: (visit: AdminVisit) => Promise<void>): void {
  Deno.test({
    name: `axe finds no problems on /admin${path}, light or dark, and the page is not wider than 320 px`,
    async fn() {
      const visit = await (visiting ??= visitAdmin());
      await open(visit);
      assert.deepEqual(await visit.check(path.slice(1)), []);
      assert.deepEqual(visit.errors.splice(0), []);
    },
    // Server and browser outlive a test.
    sanitizeOps: false,
    sanitizeResources: false,
  });
}

pageTest("/login", (visit) => visit.open("/login"));
for (const path of [...pages.map(({ path }) => path), "/form-settings?form=footer"]) {
  pageTest(path, async (visit) => {
    await (signingIn ??= visit.signIn());
    await visit.open(path);
  });
}

Deno.test({
  name: "on a phone on its side, the save bar leaves seven eighths of the screen to the form",
  async fn() {
    const visit = await (visiting ??= visitAdmin());
    await (signingIn ??= visit.signIn());
    const { page } = visit;
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 740, height: 360 });
    await visit.open("/general");
    const bar = await page.locator(".savebar").boundingBox();
    assert.ok(bar!.height <= 360 / 8, `${bar!.height} px`);
    await page.setViewportSize(size);
  },
  sanitizeOps: false,
  sanitizeResources: false,
});
