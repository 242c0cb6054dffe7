/** The widget in the oldest Chromium in which everything works, beside the current one. */
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { launch } from "../browser.ts";
import { FORMS, isOpenedByButton, type Site, startSite } from "../every_kind.ts";
import { runProgram, waitUntil } from "../program.ts";
import { signUp, statusOf, visit, waitForStatus } from "../visitors.ts";
import { type Look, lookOf, PAGE_PARTS, PARTS } from "./looks.ts";
import { launchOldest } from "./oldest_chromium.ts";

const SOON_MS = 15_000;
const NO_SANITIZERS = { sanitizeOps: false, sanitizeResources: false }; // The browser outlives a step of the sanitizers.
type Looks = Record<string, Look>;

/** Compares looks in the oldest and the current browser, light and dark, and then runs `more` in the oldest. */
async function compareLooks(
  looksIn: (browser: Browser, site: Site, colorScheme: "light" | "dark") => Promise<Looks>,
  more?: (oldest: Browser, site: Site) => unknown,
): Promise<void> {
  await using site = await startSite();
  const [oldest, current] = [await launchOldest(), await launch()];
  try {
    for (const scheme of ["light", "dark"] as const) {
      assert.deepEqual(
        await looksIn(oldest, site, scheme),
        await looksIn(current, site, scheme),
        scheme,
      );
    }
    await more?.(oldest, site);
  } finally {
    await oldest.close();
    await current.close();
  }
}

async function formsIn(browser: Browser, { origin }: Site, colorScheme: "light" | "dark"): Promise<Looks> {
  const looks: Looks = {};
  const context = await browser.newContext({ colorScheme, reducedMotion: "reduce" });
  for (const form of FORMS.filter((name) => name !== "own" && name !== "rich")) {
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(`${origin}/${form}`);
    if (isOpenedByButton(form)) await page.locator("[data-cfbe-open]").click();
    await page.locator("[part~=form]").waitFor();
    looks[form] = await lookOf(page, PARTS);
    assert.deepEqual(errors, [], form);
    await page.close();
  }
  assert.notEqual(looks["inline"]!["[part~=button]"], undefined);
  await context.close();
  return looks;
}

Deno.test(
  "every kind of form has the colors and borders that it has in a current browser, light and dark",
  NO_SANITIZERS,
  () => compareLooks(formsIn),
);

/** Returns the look of the pages that the service itself shows visitors. */
async function pagesIn(browser: Browser, { baseUrl }: Site, colorScheme: "light" | "dark"): Promise<Looks> {
  const looks: Looks = {};
  const page = await browser.newPage({ colorScheme, reducedMotion: "reduce", javaScriptEnabled: false });
  for (const form of ["footer", "rich"]) {
    await page.goto(`${baseUrl}/form/${form}`);
    looks[form] = await lookOf(page, PAGE_PARTS);
    // The browser accepts it, and the service does not.
    await page.locator("input[type=email]").fill("ada@localhost");
    await page.locator("form button").last().click();
    await page.locator("[role=alert]").waitFor();
    // Until its style sheet has loaded, the answer looks like a page without one.
    await page.waitForLoadState();
    looks[`${form} with errors`] = await lookOf(page, PAGE_PARTS);
  }
  await page.close();
  return looks;
}

/** Returns the look of the pages that the links in a cart reminder open. */
async function cartPagesIn(browser: Browser, site: Site, colorScheme: "light" | "dark"): Promise<Looks> {
  const looks: Looks = {};
  const page = await browser.newPage({
    colorScheme,
    javaScriptEnabled: false,
    viewport: { width: 320, height: 600 },
  });
  const note = async (name: string) => {
    await page.waitForLoadState();
    looks[name] = await lookOf(page, PAGE_PARTS);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320, name);
  };
  await page.goto(site.cartStop);
  await note("asks");
  await page.getByRole("button", { name: "Stop reminders" }).click();
  await page.getByRole("heading", { name: "Reminders stopped" }).waitFor();
  await note("stopped");
  for (const path of ["/cart-stop/wrong", "/cart/gone"]) {
    await page.goto(site.baseUrl + path);
    await page.getByRole("heading", { name: "Not available" }).waitFor();
    await note(path);
  }
  await page.close();
  return looks;
}

Deno.test(
  "the pages of cart reminders look as in a current browser, light and dark, work, and fit on a phone",
  NO_SANITIZERS,
  () => compareLooks(cartPagesIn),
);

Deno.test(
  "the pages of forms look as in a current browser, light and dark, and a form without JavaScript signs up",
  NO_SANITIZERS,
  () =>
    compareLooks(pagesIn, async (oldest, site) => {
      const page = await oldest.newPage({ javaScriptEnabled: false });
      await page.goto(`${site.baseUrl}/form/footer`);
      await page.getByLabel(/^Email/).fill("ada@example.com");
      await page.getByRole("button").hover();
      const background = await page.getByRole("button").evaluate((button) =>
        getComputedStyle(button).backgroundColor
      );
      assert.notEqual(background, "rgba(0, 0, 0, 0)");
      // A token has to be three seconds old, so the page may ask to submit once more.
      const done = page.getByText("please check your inbox");
      await waitUntil("the form says that it worked", SOON_MS, async () => {
        await page.getByRole("button").last().click();
        await page.waitForLoadState();
        return await done.count() > 0;
      });
    }),
);

Deno.test("visitors sign up through every kind of form", NO_SANITIZERS, async () => {
  await using site = await startSite();
  const browser = await launchOldest();
  try {
    for (const form of FORMS.filter((name) => name !== "rich")) {
      const visitor = await visit(browser, `${site.origin}/${form}`);
      if (isOpenedByButton(form)) await visitor.page.locator("[data-cfbe-open]").click();
      await visitor.page.locator("input[type=email]").first().fill("no address");
      await visitor.page.locator("[part~=button], form button").first().click();
      await visitor.page.locator("input[type=email]").first().fill(`${form}@example.com`);
      await visitor.page.keyboard.press("Enter");
      await visitor.page.getByText("please check your inbox").last().waitFor({ timeout: SOON_MS });
      await visitor.page.context().close();
    }
  } finally {
    await browser.close();
  }
});

Deno.test("a form that stores where the visitor came from signs up", NO_SANITIZERS, async () => {
  await using program = await runProgram();
  const from = { name: "came_from", kind: "hidden", label: "From", from: "referrer" };
  await program.cfbe("settings", "set", "forms.forms", JSON.stringify([{ name: "club", fields: [from] }]));
  await using site = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const html = new URL(request.url).pathname === "/"
      ? `<a href="/shop">To the shop</a>`
      : `<script async src="${program.baseUrl}/cfbe.js"></script><cfbe-form form="club"></cfbe-form>`;
    return new Response(`<!doctype html><html lang="en"><title>A shop</title>${html}</html>`, {
      headers: { "content-type": "text/html" },
    });
  });
  const origin = `http://127.0.0.1:${site.addr.port}`;
  const browser = await launchOldest();
  try {
    const visitor = await visit(browser, origin);
    await visitor.page.getByRole("link").click();
    await signUp(visitor, "ada@example.com");
    await waitForStatus(program, "ada@example.com", "pending");
    const { record } = await statusOf(program, "ada@example.com");
    assert.deepEqual(record.fields, { came_from: origin });
  } finally {
    await browser.close();
  }
});
