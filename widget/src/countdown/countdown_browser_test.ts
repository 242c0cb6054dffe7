/** The countdown of a form: what it shows, and what screen readers hear of it. */
import assert from "node:assert/strict";
import { accessTree } from "../../../e2e/access_tree.ts";
import { axe } from "../../../e2e/axe.ts";
import type { Countdown } from "../../../shared/countdown.ts";
import { FORM } from "../testing/form.ts";
import { browserTest, open, type PageOptions, until } from "../testing/site.ts";

/** When the page's clock starts in tests in which it is paused. */
const START = Date.UTC(2030, 0, 1, 0, 0, 1);

const openCountdown = (countdown: Countdown | undefined, options: PageOptions = {}) =>
  open(`<main><h1>A page</h1>${FORM}</main>`, {
    ...options,
    settings: { forms: { footer: { layout: "inline", cfg: "footer.cfg", ...countdown && { countdown } } } },
  });

browserTest(
  "a countdown shows each second that passes, and then its text, which is announced politely",
  async () => {
    await using site = await openCountdown({ end: Date.now() + 8000, after: "Too late." }, { live: true });
    const { page } = site;
    await page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(globalThis, { heard });
      const watch = () => {
        const part = document.querySelector("cfbe-form")?.shadowRoot?.querySelector("[part=countdown]");
        if (!part) return void requestAnimationFrame(watch);
        const note = () => {
          for (const { role, textContent } of part.children) {
            const said = `${role}: ${textContent}`;
            if (textContent && heard.at(-1) !== said) heard.push(said);
          }
        };
        note();
        new MutationObserver(note).observe(part, { childList: true, subtree: true });
      };
      watch();
    });
    const box = page.locator("[part=countdown]");
    await box.getByText(" sec").waitFor();
    assert.deepEqual((await axe(page).analyze()).violations.map(({ id }) => id), []);
    assert.equal(await box.getByRole("timer").getAttribute("aria-live"), "off");
    await box.getByText("Too late.").waitFor();
    const heard = await page.evaluate("heard") as string[];
    const seconds = heard.slice(0, -1).map((said) => Number(/^timer: (\d) sec$/.exec(said)![1]));
    assert.ok(seconds.length > 1, `${heard}`);
    assert.deepEqual(seconds, seconds.toSorted().reverse());
    assert.equal(heard.at(-1), "status: Too late.");
    assert.deepEqual((await axe(page).analyze()).violations.map(({ id }) => id), []);
    const tree = await accessTree(page);
    const said = tree.findIndex(({ name, role }) => role === "StaticText" && name === "Too late.");
    assert.equal(tree[said - 1]?.role, "status");
    assert.deepEqual(site.logs, []);
  },
);

browserTest("for visitors who prefer less motion, a countdown changes once a minute", async () => {
  await using site = await openCountdown({ end: START + 3_600_000 }, { reducedMotion: "reduce" });
  const { page } = site;
  const box = page.locator("[part=countdown]");
  await box.waitFor();
  assert.match(await box.innerText(), /^(1 hr 0|59) min$/);
  await until(page, "the next minute", async () => await box.innerText() === "58 min");
  assert.equal(await box.innerText(), "58 min");
});

browserTest("a countdown without a text afterwards leaves its room empty when it is over", async () => {
  await using site = await openCountdown({ end: START + 60_000 });
  const { page } = site;
  const box = page.locator("[part=countdown]");
  await box.waitFor();
  const height = () => page.locator("cfbe-form").evaluate((form) => form.getBoundingClientRect().height);
  const before = await height();
  await until(page, "the end", () => box.isHidden());
  assert.equal(await height(), before);
});

browserTest("a form whose countdown is over shows its text, or nothing", async () => {
  for (const after of ["Too late.", undefined]) {
    await using site = await openCountdown({ end: START - 1, ...after && { after } });
    const { page } = site;
    await page.getByLabel("Email").waitFor();
    assert.deepEqual(await page.locator("[part=countdown]").allInnerTexts(), after ? [after] : []);
  }
});

browserTest(
  "a form that becomes one without a countdown has none, and one that leaves the page comes back right",
  async () => {
    await using site = await openCountdown({ end: START + 3_600_000 });
    const { page } = site;
    const box = page.locator("[part=countdown]");
    await box.waitFor();
    await page.evaluate(() => {
      const form = document.querySelector("cfbe-form")!;
      form.remove();
      Object.assign(globalThis, { form });
    });
    await page.clock.runFor(600_000);
    await page.evaluate("document.querySelector('main').append(form)");
    await until(page, "the time left", async () => /^(49|48) min/.test(await box.innerText()));
    await page.locator("cfbe-form").evaluate((form) => form.setAttribute("form", "other"));
    await until(page, "no countdown", async () => await box.count() === 0);
  },
);

browserTest("a form without a countdown loads no code for it", async () => {
  await using site = await openCountdown(undefined);
  await site.page.getByLabel("Email").waitFor();
  await site.page.evaluate(() => fetch("/"));
  assert.ok(!site.backend.requests.some((path) => path.includes("/countdown-")), `${site.backend.requests}`);
});
