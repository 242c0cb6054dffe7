/** The first-time setup in the admin, until the first confirmed signup. */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { issueToken } from "../../server/platform/keys/form_token.ts";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { type AdminVisit, axeFindings, saveScreenshots, visitAdmin } from "../admin_pages.ts";
import { waitUntil } from "../program.ts";

const SOON = { timeout: 20_000 };
const SALT = "the salt of the setup test, long enough to be one";
/** As in `admin.js`. */
const POLL_MS = 3_000;

const browserTest = (name: string, fn: () => Promise<void>) =>
  // The browser outlives a test.
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });

/** Creates the first admin with the link printed at the first start. */
async function createFirstAdmin({ page, program }: AdminVisit): Promise<void> {
  const link = /http\S+\/admin\/set-up#\S+/.exec(program.log())?.[0];
  assert.ok(link, program.log());
  await page.goto(link);
  await page.getByLabel("Name").fill("Ann");
  await page.getByLabel("Password").fill("ann's own password");
  await page.getByRole("button", { name: "Create and sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor(SOON);
}

/** Starts a shop whose page contains the snippet from the admin. */
function startShop(snippet: string) {
  const markup = `<!doctype html><html lang="en"><title>A shop</title><h1>A shop</h1>${snippet}</html>`;
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => new Response(markup, { headers: { "content-type": "text/html" } }),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function assertAccessible(page: Page, name: string): Promise<void> {
  assert.deepEqual(await axeFindings(page), [], name);
  await page.setViewportSize({ width: 320, height: 800 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, name);
  await page.setViewportSize({ width: 1280, height: 900 });
  if (Deno.env.has("CFBE_TEST_SCREENSHOTS")) await saveScreenshots(page, name);
}

/** Advances the clock of a page that polls the server, until an update shows `element`. */
function waitForUpdate(page: Page, element: Locator): Promise<void> {
  return waitUntil(`the page shows ${element}`, SOON.timeout, async () => {
    await page.clock.fastForward(POLL_MS);
    return await element.count() > 0;
  });
}

browserTest(
  "the setup page leads from the printed link to the first confirmed signup, and axe finds no problems at its five stops",
  async () => {
    await using visit = await visitAdmin({ CFBE_ADMIN_PASSWORD: "" });
    const { page, browser } = visit;
    await page.clock.install();
    await createFirstAdmin(visit);
    await assertAccessible(page, "overview-fresh");
    await page.getByRole("link", { name: "Continue setup" }).click();
    await page.getByText("4 of 6 steps completed.").waitFor(SOON);
    await page.frameLocator("[title='Preview of the form footer']").getByLabel("Email address").waitFor(SOON);
    assert.equal(
      await page.locator("#step-snippet.current").count(),
      1,
      "the preview does not count as a visitor",
    );
    await assertAccessible(page, "first-run-fresh");

    await using shop = startShop(await page.locator("#first-run-snippet").innerText());
    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(shop.url);
    await waitForUpdate(page, page.locator("#step-snippet.done"));
    await visitor.getByLabel("Email address").fill("cleo@example.com");
    await visitor.getByRole("button", { name: "Subscribe" }).click();
    await visitor.getByText("please check your inbox").last().waitFor(SOON);
    await waitForUpdate(page, page.getByText("Someone has signed up.").filter({ visible: true }));
    await assertAccessible(page, "first-run-waiting");

    await waitForUpdate(page, page.getByRole("link", { name: "sandbox inbox" }));
    const inbox = await page.context().newPage();
    await inbox.goto(
      await page.getByRole("link", { name: "sandbox inbox" }).evaluate((link) =>
        (link as HTMLAnchorElement).href
      ),
    );
    await inbox.getByRole("link", { name: /confirm/i }).first().click();
    await inbox.close();

    // The page updates by itself.
    const confirmed = page.locator("#step-signup.done").getByText("Your first signup is confirmed.");
    await waitForUpdate(page, confirmed.filter({ visible: true }));
    await page.getByText("All done.").waitFor(SOON);
    assert.equal(await page.locator("[data-announcer]").innerText(), "Your first signup is confirmed.");
    assert.equal(await page.locator("[data-watch]").count(), 0, "the page stops polling");
    await assertAccessible(page, "first-run-done");

    await page.getByRole("link", { name: "Go to Overview" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor(SOON);
    assert.equal(await page.getByRole("link", { name: "Continue setup" }).count(), 0);
    await page.getByText("Nothing needs your attention.").waitFor(SOON);
    const stat = (label: string) =>
      page.locator(".stat").filter({ hasText: label }).locator("strong").first().innerText();
    assert.equal(await stat("Form views"), "1");
    assert.equal(await stat("Signups"), "1");
    assert.equal(await stat("Confirmation rate"), "100%");
    const footer = page.locator("#forms tr").filter({ hasText: "footer" });
    assert.match(await footer.innerText(), /^footer\s+\d\s+1\s+1\s/);
    await assertAccessible(page, "overview-first");
    assert.deepEqual(visit.errors, []);
  },
);

browserTest(
  "without JavaScript, the steps open, save and complete after a reload",
  async () => {
    await using visit = await visitAdmin({ CFBE_SALT: SALT }, { javaScriptEnabled: false });
    const { page, program } = visit;
    await visit.signIn();
    await visit.open("/");
    await page.getByRole("link", { name: "Continue setup" }).click();
    await page.getByText("Test the connection").first().click();
    await page.getByRole("button", { name: "Test connection" }).click();
    await page.getByText("Connected to").first().waitFor(SOON);
    await page.getByText("Choose a list").click();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.locator("#main").getByRole("status").getByText("Default list saved.").waitFor(SOON);
    assert.equal(await page.locator("meta[http-equiv=refresh]").getAttribute("content"), "15");

    await program.json("/wp-json/cfbe/v1/form-token?form=footer");
    await page.reload();
    assert.equal(await page.locator("#step-snippet.done").count(), 1);
    const token = issueToken(createKeyring([SALT]), Date.now() - 10_000);
    await program.json("/wp-json/cfbe/v1/subscribe", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ source: "shortcode", email: "dora@example.com", cfbe_token: token }),
    });
    await page.reload();
    await page.getByText("Someone has signed up.").waitFor(SOON);
    assert.deepEqual(visit.errors, []);
  },
);

browserTest("by keyboard only, the steps and the chart's table open and close", async () => {
  await using visit = await visitAdmin();
  const { page, program } = visit;
  await visit.signIn();
  await visit.open("/first-run");
  const step = page.locator("#step-list summary").first();
  await step.focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Default list").waitFor(SOON);
  await page.keyboard.press("Tab");
  assert.ok(
    await page.evaluate(() => document.querySelector("#step-list")!.contains(document.activeElement)),
  );

  await program.json("/wp-json/cfbe/v1/form-token?form=footer");
  await visit.open("/overview");
  const figures = page.locator("#days summary");
  await figures.focus();
  await page.keyboard.press("Space");
  assert.equal(await page.locator("#days tbody tr").count(), 7);
  await page.getByRole("link", { name: "7 days" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/overview?days=7");
  await page.getByRole("link", { name: "Form views" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/overview?days=7&chart=views#days");
  const chart = page.getByRole("img", { name: "Form views by day: all forms" });
  assert.equal(await chart.count(), 1);
  assert.deepEqual(visit.errors, []);
});
