import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { en } from "../../../shared/texts/en.ts";
import { escape, heldBackBy, isOpen, openPage, shown, waitInVain, why } from "../testing/popup.ts";
import { browserTest, heard, until } from "../testing/site.ts";

const stored = (page: Parameters<typeof why>[0]) =>
  page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)].flat());

const BROKEN = {
  "is blocked": `for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
  }`,
  "is full": `Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
    for (const name of ["localStorage", "sessionStorage"]) {
      const real = window[name];
      Object.defineProperty(window, name, { value: new Proxy(real, {
        set() { throw new DOMException("full", "QuotaExceededError"); },
      }) });
    }`,
};
for (const [how, script] of Object.entries(BROKEN)) {
  browserTest(`where storage ${how} the popup comes once on a page, and nothing breaks`, async () => {
    await using site = await openPage("", {}, {
      head: `<script>${script}</script><script async src="SCRIPT"></script>`,
    });
    const { page } = site;
    await shown(page);
    await page.getByLabel(en.emailLabel).fill("ada@example.com");
    await page.getByRole("button", { name: en.button }).click();
    await until(page, "success", () => page.getByText(en.success).isVisible());
    await escape(page);
    await waitInVain(page);
    assert.deepEqual(await why(page), ["subscribed", "shown"]);
    assert.deepEqual(site.said, []);
  });
}

const SIGNUPS: Record<string, [body: string, signUp: (page: Page) => Promise<unknown>]> = {
  "an element": ["<cfbe-form></cfbe-form>", async (page) => {
    await page.getByLabel(en.emailLabel).fill("ada@example.com");
    await page.locator("[part=button]").click();
  }],
  "own markup": [
    "<form data-cfbe-form><input name=email><button>Go</button></form>",
    async (page) => {
      await page.locator("[name=cfbe_hp]").waitFor({ state: "attached" });
      await page.locator("[name=email]").fill("ada@example.com");
      await page.getByRole("button").click();
    },
  ],
  "a script": ["", (page) => page.evaluate(`void cfbe.subscribe({ email: "ada@example.com" })`)],
};
for (const [what, [body, signUp]] of Object.entries(SIGNUPS)) {
  for (const rules of ["off, and its rules never come", "on, and its rules never come"]) {
    browserTest(`a signup by ${what} is remembered at once while the popup is ${rules}`, async () => {
      await using site = await openPage(body, {}, {
        ...rules.startsWith("off") && { settings: { popup: { cfg: "popup.cfg" } } },
        before: (page) => page.route(/\/cfbe\/rules-/, (route) => route.abort()),
      });
      const { page } = site;
      await page.waitForFunction(() => "cfbe" in globalThis);
      // What a page does when it hears of it may be to leave.
      await page.evaluate(() =>
        addEventListener("cfbe-success", () => Object.assign(globalThis, { then: localStorage.cfbe_popup }))
      );
      await signUp(page);
      await until(page, "success", () => page.evaluate("'then' in globalThis"));
      assert.equal(await page.evaluate("globalThis.then"), "subscribed");
    });
  }
}

browserTest("a popup that is closed while its signup is on its way is remembered as subscribed", async () => {
  await using site = await openPage();
  const { page } = site;
  await shown(page);
  await page.getByLabel(en.emailLabel).fill("ada@example.com");
  await page.getByRole("button", { name: en.button }).click();
  await escape(page);
  await until(
    page,
    "subscribed",
    async () => await page.evaluate("localStorage.cfbe_popup") === "subscribed",
  );
});

browserTest(
  "a signup before the rules come is remembered as data-storage says, and by the page in any case",
  async () => {
    for (const storage of ["consent", "none"]) {
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      await using site = await openPage("", {}, {
        head: `<script async data-storage="${storage}" src="SCRIPT"></script>`,
        before: (page) => page.route(/\/cfbe\/rules-/, async (route) => (await held, await route.continue())),
      });
      const { page } = site;
      await page.waitForFunction(() => "cfbe" in globalThis);
      await SIGNUPS["a script"]![1](page);
      await until(page, "success", async () => (await heard(page)).at(-1)?.type === "cfbe-success");
      assert.deepEqual(await stored(page), []);
      release();
      await until(page, "subscribed", async () => (await why(page))[0] === "subscribed");
      assert.deepEqual(await stored(page), []);
      await page.evaluate("cfbe.consent(true)");
      const kept = storage === "consent" ? "cfbe_popup" : "";
      await until(page, "consent", async () => (await stored(page)).join() === kept);
    }
  },
);

browserTest(
  "with data-storage=consent nothing is written before consent, and all that is due with it",
  async () => {
    await using site = await openPage("", {}, {
      head: `<script async data-storage="consent" src="SCRIPT"></script>`,
    });
    const { page } = site;
    await shown(page);
    await escape(page);
    await waitInVain(page);
    assert.deepEqual(await stored(page), []);
    assert.equal(await isOpen(page), false, "the page remembers by itself");
    await page.evaluate("cfbe.consent(true)");
    await until(page, "written", async () => (await stored(page)).join() === "cfbe_popup,cfbe_popup");
    await page.evaluate("cfbe.consent(false)");
    await until(page, "taken out", async () => (await stored(page)).length === 0);
  },
);

browserTest("with data-storage=none nothing is ever written, not even with consent", async () => {
  await using site = await openPage("", {}, {
    head: `<script async data-storage="none" src="SCRIPT"></script>`,
  });
  const { page } = site;
  await shown(page);
  await page.evaluate("cfbe.consent(true)");
  await escape(page);
  await waitInVain(page);
  assert.deepEqual(await stored(page), []);
});

browserTest("another tab's signup counts before the popup comes", async () => {
  await using site = await openPage("", {
    triggers: { delaySeconds: 20, scrollPercent: 0, exitIntent: false },
  });
  const { page } = site;
  await heldBackBy(page, "trigger");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.evaluate(() => localStorage.cfbe_popup = "subscribed");
  await page.clock.runFor(30_000);
  assert.deepEqual(await why(page), ["subscribed"]);
});
