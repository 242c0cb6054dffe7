/** Keyboard shortcuts of the admin in a real browser. */
import assert from "node:assert/strict";
import { axeFindings, visitAdmin } from "./admin_pages.ts";

Deno.test({
  name:
    "shortcuts open pages, the search field and their list, but not while typing, with a modifier key or when off",
  async fn() {
    await using visit = await visitAdmin();
    const { page } = visit;
    const { keyboard } = page;
    const isOpen = () => page.getByRole("dialog", { name: "Keyboard shortcuts" }).isVisible();
    await visit.signIn();
    await visit.open("/");

    await keyboard.press("g");
    await keyboard.press("f");
    await page.waitForURL("**/admin/forms");
    await keyboard.press("/");
    await page.waitForURL("**/admin/subscribers#filter-q");
    const search = page.getByRole("searchbox", { name: "Email address" });
    await page.waitForFunction(() => document.activeElement?.id === "filter-q");
    await keyboard.type("g/?");
    assert.equal(await search.inputValue(), "g/?");
    assert.equal(await isOpen(), false);
    assert.equal(await search.getAttribute("aria-keyshortcuts"), "/");
    await search.blur();
    await keyboard.press("Control+/");
    await keyboard.press("Alt+/");
    assert.notEqual(await page.evaluate(() => document.activeElement?.id), "filter-q");
    await keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "filter-q");
    await search.blur();

    await keyboard.press("?");
    assert.ok(await isOpen());
    assert.deepEqual(await axeFindings(page), []);
    await keyboard.press("g");
    await keyboard.press("o");
    await page.getByRole("switch", { name: "Use keyboard shortcuts" }).press("Space");
    await keyboard.press("Escape");
    assert.equal(await isOpen(), false);
    assert.match(page.url(), /subscribers/);

    await page.reload();
    await keyboard.press("?");
    await keyboard.press("/");
    await keyboard.press("g");
    await keyboard.press("o");
    assert.equal(await isOpen(), false);
    assert.match(page.url(), /subscribers/);
    assert.equal(await search.getAttribute("aria-keyshortcuts"), null);
    await page.getByRole("button", { name: "Keyboard shortcuts" }).press("Enter");
    await page.getByRole("switch", { name: "Use keyboard shortcuts" }).press("Space");
    await page.getByRole("button", { name: "Close" }).press("Enter");
    await keyboard.press("g");
    await keyboard.press("o");
    await page.waitForURL("**/admin/overview");
    assert.deepEqual(visit.errors, []);
  },
  // The browser outlives a test.
  sanitizeOps: false,
  sanitizeResources: false,
});
