/** Filters and page links of the admin in a real browser, with JavaScript. Other tests follow them without it. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type AdminVisit, visitAdmin } from "./admin_pages.ts";

const SOON = { timeout: 15_000 };

const focusOf = (page: Page) => page.evaluate(() => document.activeElement?.id);
const announced = (page: Page, text: string) =>
  page.locator("[data-announcer]").getByText(text, { exact: true }).waitFor({ ...SOON, state: "attached" });

/** Marks the document. @returns a function that says whether the page still shows it, so that nothing was reloaded */
async function mark({ page }: AdminVisit): Promise<() => Promise<boolean>> {
  await page.evaluate(() => document.documentElement.dataset.marked = "");
  return () => page.evaluate(() => "marked" in document.documentElement.dataset);
}

Deno.test({
  name:
    "filters change a page without a reload, back and forward too, until cfbe is updated or the session expires",
  async fn() {
    await using visit = await visitAdmin();
    const { page, program } = visit;
    for (const name of ["ada", "adam", "bob"]) {
      await program.json("/integrations/signup", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ source: "account", email: `${name}@example.com`, consent: true }),
      });
    }
    await visit.signIn();
    await visit.open("/subscribers");
    let sameDocument = await mark(visit);
    const search = page.getByRole("searchbox", { name: "Email address" });

    await search.fill("ada*");
    await search.press("Enter");
    await announced(page, "2 results");
    assert.equal(await focusOf(page), "filter-q");
    assert.match(page.url(), /subscribers\?sealed=/);
    await search.fill("eve@example.com");
    await search.press("Enter");
    await announced(page, "No results");
    await page.getByRole("link", { name: "Search for addresses that start with" }).press("Enter");
    await page.waitForFunction(() => document.activeElement!.hasAttribute("data-results"), undefined, SOON);
    await page.goBack();
    await page.goBack();
    await announced(page, "2 results");
    assert.equal(await search.inputValue(), "ada*");
    await page.goBack();
    await announced(page, "3 signups");
    await page.goForward();
    await announced(page, "2 results");
    assert.ok(await sameDocument());

    await page.evaluate(() => document.querySelector<HTMLElement>(".frame")!.dataset.assets = "earlier");
    await search.fill("bob*");
    await search.press("Enter");
    await page.waitForFunction(() => !("marked" in document.documentElement.dataset), undefined, SOON);
    await page.getByRole("link", { name: "bob@example.com" }).waitFor(SOON);

    await visit.open("/overview");
    sameDocument = await mark(visit);
    await page.getByText("Show as table").click();
    await page.getByRole("link", { name: "7 days" }).press("Enter");
    await announced(page, "Signups in the last 7 days, all forms: 3");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "7 days");
    assert.ok(await page.getByRole("table", { name: "by day" }).isVisible());
    assert.ok(await sameDocument());
    await page.context().clearCookies();
    await page.getByRole("link", { name: "90 days" }).press("Enter");
    await page.getByRole("button", { name: "Sign in" }).waitFor(SOON);
    assert.match(page.url(), /overview\?days=90/);
    assert.deepEqual(visit.errors, []);
  },
  // The browser outlives a test.
  sanitizeOps: false,
  sanitizeResources: false,
});
