/** A marketer makes a targeted popup with an experiment in the admin; a visitor meets it; the admin shows the result. */
import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import type { Cfbe } from "../widget/src/types.ts";
import { type AdminVisit, visitAdmin } from "./admin_pages.ts";
import { addVariant, openElement, openStep, savedDraft } from "./form_editor.ts";
import { waitUntil } from "./program.ts";
import { confirm, waitForStatus } from "./visitors.ts";

const SOON_MS = 15_000;
const SOON = { timeout: SOON_MS };
const FORM = "spring-blog";
const ADA = "ada@site.example";
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };
/** Where the marketer wants the popup, on a phone and on a second visit. */
const TARGET = "/blog/tea?utm_campaign=spring";
/** The heading of each variant, by its name. */
const HEADINGS = { Original: "Letters about tea", "Variant B": "A cup every Sunday" };
type VariantName = keyof typeof HEADINGS;

/** Adds a condition to the first group, and returns its row. */
async function addCondition(page: Page, title: string, button = title) {
  const add = page.getByRole("button", { name: `Add ${button}`, exact: true });
  const folded = page.locator("summary", { hasText: "Add condition" });
  if (await folded.count() > 0 && !await add.isVisible()) await folded.click();
  await add.click();
  const row = page.getByRole("group", { name: title, exact: true });
  await row.waitFor(SOON);
  return row;
}

async function makePopup({ page, open }: AdminVisit): Promise<void> {
  await open("/new-form?from=empty");
  await page.getByLabel("Title").fill(FORM);
  await page.getByRole("button", { name: "Create form" }).click();
  await page.getByRole("heading", { name: FORM, level: 1 }).waitFor(SOON);

  await page.getByLabel("Heading", { exact: true }).fill(HEADINGS.Original);
  await openStep(page, "Who sees it");
  await page.getByRole("button", { name: "Open by itself" }).click();
  await page.getByLabel("Opens as").selectOption({ label: "Popup: a dialog over the page" });
  await page.getByLabel("After", { exact: true }).fill("0");

  await page.locator("#audience").getByRole("button", { name: "Add group: Path" }).click();
  await page.getByRole("group", { name: "Path", exact: true }).getByLabel("Value").fill("/blog/*");
  const width = await addCondition(page, "Window width", "Device (window width)");
  await width.getByLabel("Window width").selectOption({ label: "is below" });
  await width.getByLabel("Pixels").fill("600");
  await (await addCondition(page, "UTM parameter")).getByLabel("Value").fill("spring");
  const visitor = await addCondition(page, "New or returning");
  await visitor.getByLabel("New or returning").selectOption({ label: "Returning" });

  await openStep(page, "On your site");
  await page.getByRole("heading", { name: "Unpublished changes" }).waitFor(SOON);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("heading", { name: "Unpublished changes" }).waitFor({ ...SOON, state: "detached" });
}

async function startExperiment({ page }: AdminVisit): Promise<void> {
  await addVariant(page);
  await openElement(page, "Heading");
  await page.getByLabel("Heading", { exact: true }).fill(HEADINGS["Variant B"]);
  await savedDraft(page);
  await page.getByRole("button", { name: "Start experiment" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start experiment" }).click();
  await page.getByText("no visitor has seen the form since the start").waitFor(SOON);
  await page.getByRole("link", { name: "All results" }).click();
}

/** Opens a page, and waits until targeting is all that keeps the popup closed. */
async function assertNotTargeted(page: Page, url: string): Promise<void> {
  const why = () => page.evaluate((form) => (self.cfbe as Cfbe | undefined)?.why?.(form).join(), FORM);
  await page.goto(url);
  let blockers: string | undefined;
  await waitUntil("the rules of the popup run", SOON_MS, async () => {
    blockers = await why();
    return blockers !== undefined && blockers !== "loading";
  });
  assert.equal(blockers, "targeting", `${url} at ${page.viewportSize()?.width} px`);
  assert.equal(await page.getByRole("dialog").count(), 0, url);
}

/** Opens the page that the popup is meant for, and returns the variant that it shows. */
async function openedVariant(page: Page, url: string): Promise<VariantName> {
  await page.goto(url);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email address").waitFor(SOON);
  for (const [name, heading] of Object.entries(HEADINGS)) {
    if (await dialog.getByRole("heading", { name: heading }).isVisible()) return name as VariantName;
  }
  throw new Error(`The popup has none of the headings: ${await dialog.innerText()}`);
}

/** Goes through two visits. Returns the variant that signed up. */
async function visitTwice(context: BrowserContext, site: string): Promise<VariantName> {
  const first = await context.newPage();
  await assertNotTargeted(first, site + TARGET);
  await first.close();

  // Another tab is another session.
  const page = await context.newPage();
  for (const path of ["/", "/blog/tea", "/blog?utm_campaign=spring", "/blog/tea?utm_campaign=autumn"]) {
    await assertNotTargeted(page, site + path);
  }
  await page.setViewportSize(DESKTOP);
  await assertNotTargeted(page, site + TARGET);
  await page.setViewportSize(PHONE);
  const variant = await openedVariant(page, site + TARGET);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email address").fill(ADA);
  await dialog.getByRole("button", { name: "Subscribe" }).click();
  await page.getByText("please check your inbox").last().waitFor(SOON);
  return variant;
}

/** Returns what the experiment's page counts for each variant: seen, signups and confirmed. */
async function countsOnPage({ page }: AdminVisit): Promise<Record<string, string[]>> {
  const table = page.getByRole("table", { name: "Counts of each variant" });
  await table.waitFor(SOON);
  const rows = await table.locator("tbody tr").all();
  return Object.fromEntries(
    await Promise.all(rows.map(async (row) => {
      const [name, ...cells] = await row.locator("td, th").allInnerTexts();
      return [name!.trim(), cells.slice(0, 3).map((text) => text.trim())];
    })),
  );
}

Deno.test({
  name:
    "a popup made in the admin opens only where all its conditions hold, and its experiment counts the signup for the variant that was shown",
  // The browser outlives a test.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using visit = await visitAdmin();
    const { program } = visit;
    const markup = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
      <title>A blog</title><script async src="${program.baseUrl}/cfbe.js"></script><h1>A blog</h1></html>`;
    await using site = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () => new Response(markup, { headers: { "content-type": "text/html" } }),
    );
    await visit.signIn();
    await makePopup(visit);
    await startExperiment(visit);

    const context = await visit.browser.newContext({ viewport: PHONE });
    const variant = await visitTwice(context, `http://127.0.0.1:${site.addr.port}`);
    await confirm(program, ADA);
    await program.poll();
    await waitForStatus(program, ADA, "active");

    const expected = Object.fromEntries(
      Object.keys(HEADINGS).map((name) => [name, Array(3).fill(name === variant ? "1" : "0")]),
    );
    let counts: Record<string, string[]> = {};
    await waitUntil("the confirmation is counted", SOON_MS, async () => {
      await visit.page.reload();
      counts = await countsOnPage(visit);
      return Object.values(counts).some(([, , confirmed]) => confirmed === "1");
    });
    assert.deepEqual(counts, expected);
    assert.deepEqual(visit.errors, []);
  },
});
