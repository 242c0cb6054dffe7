/** Subscribers and data requests in a real browser, by keyboard. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type AdminVisit, visitAdmin } from "./admin_pages.ts";

/** Returns the words of the main part that are broken between two letters. */
function brokenWords(page: Page): Promise<string[]> {
  return page.locator("main").evaluate((main) => {
    const broken: string[] = [];
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      if (!text.parentElement!.checkVisibility() || text.parentElement!.closest(".hidden")) continue;
      for (const { 0: word, index } of text.data.matchAll(/[^\s-]+/g)) {
        const range = new Range();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) {
          broken.push(word);
        }
      }
    }
    return broken;
  });
}

type Check = (name: string) => Promise<void>;

/**
 * Registers a test of a signed-in admin and four signups. It also checks that no URL contains what the admin searches
 * for.
 */
function peopleTest(name: string, act: (visit: AdminVisit, check: Check) => Promise<void>): void {
  Deno.test({
    name,
    async fn() {
      await using visit = await visitAdmin();
      const { page, program } = visit;
      const signUp = (email: string) =>
        program.json("/integrations/signup", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ source: "account", email, consent: true }),
        });
      for (const name of ["ada", "adam", "bob", "unsubscribed+1"]) await signUp(`${name}@example.com`);

      const findings: string[] = [];
      const requested: string[] = [];
      page.on("request", (request) => {
        const { protocol, pathname, search } = new URL(request.url());
        const { referer = "" } = request.headers();
        if (protocol === "http:") requested.push(pathname + search, referer);
      });
      await visit.signIn();
      await act(visit, async (name) => void findings.push(...await visit.check(name)));
      assert.deepEqual(requested.filter((url) => /@|%40|[?&](q|place|email|whose)=/.test(url)), []);
      assert.deepEqual(findings, []);
      assert.deepEqual(visit.errors, []);
    },
    // The browser outlives a test.
    sanitizeOps: false,
    sanitizeResources: false,
  });
}

peopleTest(
  "by keyboard only, an admin finds a person on accessible pages",
  async (visit, check) => {
    const { page } = visit;
    await visit.open("/subscribers");
    assert.equal(await page.getByRole("link", { name: "@example.com" }).count(), 4);
    await check("subscribers");
    await page.getByRole("checkbox", { name: "All on this page" }).press("Space");
    await page.getByText("4 selected").waitFor();
    await page.getByRole("checkbox", { name: "Select ada@example.com" }).press("Space");
    await page.getByText("3 selected").waitFor();
    await page.getByRole("button", { name: "Erase…" }).press("Enter");
    await page.getByRole("heading", { name: "Erase 3 people?" }).waitFor();
    await check("bulk-review");
    await page.getByRole("link", { name: "Cancel" }).press("Enter");
    await page.getByRole("heading", { name: "Erase 3 people?" }).waitFor({ state: "detached" });

    const search = page.getByRole("searchbox", { name: "Email address" });
    await search.fill("ada@example.co");
    await search.press("Enter");
    await page.getByText("No matches").waitFor();
    await page.reload();
    await page.getByText("No matches").waitFor();
    assert.equal(await search.inputValue(), "ada@example.co");
    await check("subscribers-none");
    await page.getByRole("link", { name: "Search for addresses that start with" }).press("Enter");
    // The page before links to the same address, which is similar.
    await page.getByRole("heading", { name: "1 result" }).waitFor();
    await page.getByRole("link", { name: "ada@example.com" }).press("Enter");
    await page.getByRole("heading", { name: "ada@example.com" }).waitFor();
    await check("subscriber");
    await page.goBack({ waitUntil: "commit" });
    await page.getByRole("heading", { name: "1 result" }).waitFor();
    await page.goForward({ waitUntil: "commit" });
    await page.getByRole("button", { name: "Check now" }).press("Enter");
    await page.locator("#main").getByText("Status check queued").waitFor();

    // A sheet of A4 is narrower than the pages for wide screens.
    await page.setViewportSize({ width: 718, height: 1000 });
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.getByRole("heading", { name: "Proof of consent" }).isVisible(), true);
    for (const name of ["Check now", "More actions"]) {
      assert.equal(await page.getByRole("button", { name }).isVisible(), false, name);
    }
    await page.emulateMedia({ media: "screen" });
  },
);

peopleTest(
  "by keyboard only, an admin exports what is stored about a person on accessible pages",
  async (visit, check) => {
    const { page } = visit;
    await visit.open("/requests");
    await check("requests");
    await page.getByLabel("Email address", { exact: true }).first().fill("ada@example.com");
    await page.getByRole("button", { name: "Export" }).press("Enter");
    await page.getByRole("heading", { name: "Data about ada@example.com" }).waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download JSON" }).press("Enter");
    const file = await (await download).createReadStream();
    const document = JSON.parse(await new Response(ReadableStream.from(file) as ReadableStream).text());
    assert.equal(document.held.signups[0].record.email, "ada@example.com");
    await check("requests-export");
  },
);

peopleTest(
  "by keyboard only, an admin erases a person on accessible pages, and finds it in the audit log",
  async (visit, check) => {
    const { page, program } = visit;
    await visit.open("/requests");
    await page.getByLabel("Email address", { exact: true }).last().fill("ada@example.com");
    await page.getByLabel("Repeat email address").fill("adam@example.com");
    await page.getByRole("button", { name: "Erase" }).press("Enter");
    await page.getByText("The addresses do not match").first().waitFor();
    assert.equal((await program.status("ada@example.com")).length, 1);
    await page.getByLabel("Repeat email address").fill("ada@example.com");
    assert.equal(await page.getByRole("switch", { name: "Also erase at the provider" }).isChecked(), true);
    await page.getByRole("button", { name: "Erase" }).press("Enter");
    await page.getByText("ada@example.com has been erased").waitFor();
    await check("requests-erased");
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await brokenWords(page), [], `${width} pixels`);
    }
    assert.deepEqual(await program.status("ada@example.com"), []);
    assert.equal((await program.status("adam@example.com")).length, 1);

    await visit.open("/audit");
    const filter = page.getByLabel("Email address");
    await filter.fill("ada@example.com");
    await filter.press("Enter");
    await page.getByRole("heading", { name: "Search results" }).waitFor();
    assert.equal(await filter.inputValue(), "ada@example.com");
    const entries = page.getByRole("list", { name: "Audit log" });
    await entries.locator("summary").filter({ hasText: /Erase person(?! at)/ }).press("Enter");
    await page.getByText("cfbe_erase_person").waitFor();
    await check("audit");
  },
);
