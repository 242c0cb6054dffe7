import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { escape, heldBackBy, isOpen, openPage, shown, waitInVain, why } from "../testing/popup.ts";
import { browserTest, until } from "../testing/site.ts";

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
