import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { en } from "../../../shared/texts/en.ts";
import {
  isOpen,
  openPage,
  pressEscape,
  waitForBlockers,
  waitForPopup,
  waitPastTriggers,
  why,
} from "../testing/popup.ts";
import { browserTest, recordedEvents, until } from "../testing/site.ts";

const stored = (page: Parameters<typeof why>[0]) =>
  page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)].flat());

const BROKEN = {
  "is blocked": `for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
  }`,
  "is full": `Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
    for (const name of ["localStorage", "sessionStorage"]) {
      const original = window[name];
      Object.defineProperty(window, name, { value: new Proxy(original, {
        set() { throw new DOMException("full", "QuotaExceededError"); },
      }) });
    }`,
};
for (const [how, script] of Object.entries(BROKEN)) {
  browserTest(`if storage ${how}, the popup opens once per page without errors`, async () => {
    await using site = await openPage("", {}, {
      head: `<script>${script}</script><script async src="SCRIPT"></script>`,
    });
    const { page } = site;
    await waitForPopup(page);
    await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
    await page.getByRole("button", { name: en.form.button }).click();
    await until(page, "success", () => page.getByText(en.form.success).isVisible());
    await pressEscape(page);
    await waitPastTriggers(page);
    assert.deepEqual(await why(page), ["subscribed", "shown"]);
    assert.deepEqual(site.logs, []);
  });
}

const SIGNUPS: Record<string, [body: string, signUp: (page: Page) => Promise<unknown>]> = {
  "a <cfbe-form>": ["<cfbe-form></cfbe-form>", async (page) => {
    await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
    await page.locator("[part=button]").click();
  }],
  "an own-markup form": [
    "<form data-cfbe-form><input name=email><button>Go</button></form>",
    async (page) => {
      await page.locator("[name=cfbe_hp]").waitFor({ state: "attached" });
      await page.locator("[name=email]").fill("ada@example.com");
      await page.getByRole("button").click();
    },
  ],
  "cfbe.subscribe()": ["", (page) => page.evaluate(`void cfbe.subscribe({ email: "ada@example.com" })`)],
};
for (const [what, [body, signUp]] of Object.entries(SIGNUPS)) {
  for (const popup of ["off", "on"]) {
    browserTest(
      `a signup with ${what} is remembered at once while the popup is ${popup}, even if its code never loads`,
      async () => {
        await using site = await openPage(body, {}, {
          ...popup === "off" && { settings: { popup: { cfg: "popup.cfg" } } },
          before: (page) => page.route(/\/cfbe\/rules-/, (route) => route.abort()),
        });
        const { page } = site;
        await page.waitForFunction(() => "cfbe" in globalThis);
        // The page may navigate as soon as it receives the event.
        await page.evaluate(() =>
          addEventListener(
            "cfbe-success",
            () => Object.assign(globalThis, { storedState: localStorage.cfbe_popup }),
          )
        );
        await signUp(page);
        await until(page, "success", () => page.evaluate("'storedState' in globalThis"));
        assert.equal(await page.evaluate("globalThis.storedState"), "subscribed");
      },
    );
  }
}

browserTest("closing the popup while its signup is being sent is remembered as subscribed", async () => {
  await using site = await openPage();
  const { page } = site;
  await waitForPopup(page);
  await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
  await page.getByRole("button", { name: en.form.button }).click();
  await pressEscape(page);
  await until(
    page,
    "subscribed",
    async () => await page.evaluate("localStorage.cfbe_popup") === "subscribed",
  );
});

browserTest(
  "a signup before the popup's code loads is stored only as data-storage allows, but always remembered by the page",
  async () => {
    for (const storage of ["consent", "none"]) {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      await using site = await openPage("", {}, {
        head: `<script async data-storage="${storage}" src="SCRIPT"></script>`,
        before: (page) =>
          page.route(/\/cfbe\/rules-/, async (route) => (await released, await route.continue())),
      });
      const { page } = site;
      await page.waitForFunction(() => "cfbe" in globalThis);
      await SIGNUPS["cfbe.subscribe()"]![1](page);
      await until(page, "success", async () => (await recordedEvents(page)).at(-1)?.type === "cfbe-success");
      assert.deepEqual(await stored(page), []);
      release();
      await until(page, "subscribed", async () => (await why(page))[0] === "subscribed");
      assert.deepEqual(await stored(page), []);
      await page.evaluate("cfbe.consent(true)");
      const expected = storage === "consent" ? "cfbe_popup" : "";
      await until(page, "consent", async () => (await stored(page)).join() === expected);
    }
  },
);

browserTest(
  "with data-storage=consent, nothing is stored before consent, and everything is stored afterward",
  async () => {
    await using site = await openPage("", {}, {
      head: `<script async data-storage="consent" src="SCRIPT"></script>`,
    });
    const { page } = site;
    await waitForPopup(page);
    await pressEscape(page);
    await waitPastTriggers(page);
    assert.deepEqual(await stored(page), []);
    assert.equal(await isOpen(page), false, "the page remembers it without storage");
    await page.evaluate("cfbe.consent(true)");
    await until(page, "stored", async () => (await stored(page)).join() === "cfbe_popup,cfbe_popup");
    await page.evaluate("cfbe.consent(false)");
    await until(page, "deleted", async () => (await stored(page)).length === 0);
  },
);

browserTest("with data-storage=none, nothing is ever stored, not even with consent", async () => {
  await using site = await openPage("", {}, {
    head: `<script async data-storage="none" src="SCRIPT"></script>`,
  });
  const { page } = site;
  await waitForPopup(page);
  await page.evaluate("cfbe.consent(true)");
  await pressEscape(page);
  await waitPastTriggers(page);
  assert.deepEqual(await stored(page), []);
});

browserTest("a signup in another tab keeps the popup closed", async () => {
  await using site = await openPage("", {
    triggers: { delaySeconds: 20, scrollPercent: 0, exitIntent: false },
  });
  const { page } = site;
  await waitForBlockers(page, "trigger");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.evaluate(() => localStorage.cfbe_popup = "subscribed");
  await page.clock.runFor(30_000);
  assert.deepEqual(await why(page), ["subscribed"]);
});
