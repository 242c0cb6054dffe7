import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { axe } from "../../../e2e/axe.ts";
import { OPENING_KINDS } from "../../../shared/opening_kinds.ts";
import { en } from "../../../shared/texts/en.ts";
import { isOpen, openPage, pressEscape, waitForPopup, waitPastTriggers } from "../testing/popup.ts";
import { ARTICLE, formThatOpens, openWith, panel, storedKeys, waitForPanel } from "../testing/openings.ts";
import { browserTest, open, recordedEvents, until } from "../testing/site.ts";

const whyOf = (page: Page, form = "") => page.evaluate(`cfbe.why(${JSON.stringify(form)}).join()`);
const waitForWhy = (page: Page, form: string, blockers: string) =>
  until(page, `why: ${blockers}`, async () => await whyOf(page, form) === blockers);
const scrollPadding = (page: Page, edge: "Top" | "Bottom") =>
  page.evaluate(`getComputedStyle(document.documentElement).scrollPadding${edge}`);
/** Returns the accessibility rules that the page breaks. Lets its clock run from here on, because axe waits. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.clock.resume();
  return (await axe(page).analyze()).violations.map(({ id }) => id);
}
browserTest(
  "a slide-in leaves focus and page alone, is announced, closes with Escape, and is remembered on its own",
  async () => {
    await using site = await openWith("slide-in");
    const { page, backend } = site;
    await page.getByText("First").focus();
    await waitForPanel(page);
    assert.equal(await page.evaluate("document.activeElement.textContent"), "First");
    assert.equal(await page.getByRole("complementary", { name: en.form.heading }).count(), 1);
    assert.equal(
      await page.locator("cfbe-popup [role=status]").first().textContent(),
      "A signup form has opened at the end of the page: Stay in the loop",
    );
    assert.match(
      String(await scrollPadding(page, "Bottom")),
      /^\d\d\d/,
      "nothing that gets the focus is covered",
    );
    assert.deepEqual(await violationsOf(page), []);
    assert.ok(!backend.requests.some((path) => /\/(bar|popup)-/.test(path)), "other kinds are not loaded");

    await page.keyboard.press("Escape");
    assert.ok(
      await panel(page).isVisible(),
      "Escape belongs to the page while the slide-in is beside what has the focus",
    );
    for (let i = 0; i < 2; i++) await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.localName"), "cfbe-popup");
    await pressEscape(page);
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Last", "the focus returns");
    assert.deepEqual((await recordedEvents(page)).at(-1)?.detail, {
      form: "sale",
      source: "popup",
      reason: "escape",
    });
    assert.deepEqual(await storedKeys(page), ["cfbe_popup:sale,cfbe_popup_closed", "cfbe_popup:sale"]);
    assert.equal(await scrollPadding(page, "Bottom"), "auto");
    assert.deepEqual(site.logs, []);
  },
);

for (const kind of ["bar-top", "bar-bottom"] as const) {
  browserTest(
    `a ${kind} shifts nothing, signs up as a promo, and closes when the visitor navigates to the cart`,
    async () => {
      await using site = await openWith(kind, { reducedMotion: "reduce" });
      const { page, backend } = site;
      await page.evaluate(() => {
        Object.assign(globalThis, { shifts: 0 });
        new PerformanceObserver(() => (globalThis as unknown as { shifts: number }).shifts++)
          .observe({ type: "layout-shift", buffered: true });
      });
      await waitForPanel(page);
      const { y, height, width } = (await panel(page).boundingBox())!;
      const window = page.viewportSize()!;
      assert.equal(width, window.width);
      assert.equal(Math.round(kind === "bar-top" ? y : window.height - y - height), 0);
      assert.match(String(await scrollPadding(page, kind === "bar-top" ? "Top" : "Bottom")), /^\d\d/);
      assert.deepEqual(await violationsOf(page), []);

      await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
      await page.getByRole("button", { name: en.form.button }).click();
      await until(page, "a signup", () => Promise.resolve(backend.signups.length > 0));
      assert.deepEqual([backend.signups[0]!.body.source, backend.signups[0]!.body.form], ["promo", "sale"]);
      await page.evaluate(() => history.pushState(null, "", "/cart"));
      await until(page, "closed", async () => await panel(page).count() === 0);
      const closed = async () => (await recordedEvents(page)).find(({ type }) => type === "cfbe-close");
      await until(page, "its event", async () => await closed() !== undefined);
      assert.equal((await closed())!.detail["reason"], "navigation");
      assert.equal(await page.evaluate("localStorage['cfbe_popup:sale']"), undefined);
      assert.equal(await page.evaluate("cfbe.open('sale')"), false);
      assert.match(site.logs.join(), /stays closed here: shop-page/);
      assert.equal(await page.evaluate("globalThis.shifts"), 0);
      await waitForWhy(page, "sale", "shop-page,subscribed,shown");
    },
  );
}

browserTest(
  "on a narrow phone, a bar shows all of itself, and a slide-in centers what it says after a signup",
  async () => {
    const viewport = { width: 345, height: 640 };
    const sale = { ...formThatOpens("bar-bottom"), heading: "Ten percent off your first order" };
    await using site = await open(ARTICLE, { viewport, settings: { opening: ["sale"], forms: { sale } } });
    await waitForPanel(site.page);
    const hidden = await panel(site.page).evaluate((panel) => panel.scrollHeight - panel.clientHeight);
    assert.equal(hidden, 0);

    await using other = await openWith("slide-in", { viewport });
    const { page, backend } = other;
    await waitForPanel(page);
    await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
    await page.getByRole("button", { name: en.form.button }).click();
    await until(page, "a signup", () => Promise.resolve(backend.signups.length > 0));
    const [left, right] = await page.getByText(en.form.successHint).evaluate((hint) => {
      const range = document.createRange();
      range.selectNodeContents(hint);
      const { left, right } = range.getBoundingClientRect();
      return [Math.round(left), Math.round(document.documentElement.clientWidth - right)];
    });
    assert.equal(left, right);
  },
);

browserTest(
  "one form opens at a time, the popup first, and a close of one keeps all closed for the quiet period",
  async () => {
    await using site = await openPage("", { quietHours: 24, hideDays: 3 }, {
      settings: {
        opening: ["2030", "later"],
        forms: { later: formThatOpens("bar-top"), "2030": formThatOpens("slide-in") },
      },
    });
    const { page } = site;
    await waitForPopup(page);
    await waitForWhy(page, "2030", "other-form");
    assert.equal(await page.locator("cfbe-popup").count(), 1);
    await pressEscape(page);
    await waitForWhy(page, "2030", "quiet");
    await page.clock.fastForward(23 * 3_600_000);
    await page.reload();
    await waitForWhy(page, "later", "quiet");
    assert.equal(await whyOf(page), "shown,closed,quiet");
    await page.clock.fastForward(2 * 3_600_000);
    await waitForPanel(page);
    assert.equal(
      await page.locator("cfbe-popup[open]").getAttribute("form"),
      "2030",
      "in the order of the settings",
    );
    assert.equal(await whyOf(page, "unknown"), "disabled");
    await page.evaluate("localStorage.cfbe_popup = 'subscribed'; cfbe.close()");
    await waitForWhy(page, "later", "subscribed,quiet");
    assert.deepEqual(site.logs, []);
  },
);

browserTest("a form opens although the page shows a copy of its body with a form that was open", async () => {
  await using site = await open(ARTICLE, {
    settings: {
      opening: ["sale", "spring"],
      forms: { sale: formThatOpens("slide-in"), spring: formThatOpens("bar-top") },
    },
  });
  const { page } = site;
  await waitForPanel(page);
  await waitForWhy(page, "spring", "other-form");
  await page.evaluate(() => document.body.replaceWith(document.body.cloneNode(true)));
  assert.equal(await page.locator("cfbe-popup[open][form=sale]").count(), 1);
  await until(page, "the bar", () => page.locator("cfbe-popup[open][form=spring] aside").isVisible());
});

browserTest("a named form can open as a popup of its own, with its own memory and rules", async () => {
  await using site = await openWith("popup", { path: "/blog" });
  const { page } = site;
  await waitForPopup(page);
  assert.equal(await page.locator("cfbe-popup cfbe-form").getAttribute("form"), "sale");
  await pressEscape(page);
  assert.deepEqual(await storedKeys(page), ["cfbe_popup:sale,cfbe_popup_closed", "cfbe_popup:sale"]);
  // The popup itself, which is off, still opens on request.
  assert.equal(await page.evaluate("cfbe.open()"), true);
  assert.ok(await isOpen(page));
  assert.deepEqual(site.logs, []);
});

browserTest("a button opens a form as its own kind, with the focus in its first field", async () => {
  await using site = await open(`<button data-cfbe-open="sale">Offer</button>`, {
    head: `<script async data-manual src="SCRIPT"></script>`,
    settings: { opening: ["sale"], forms: { sale: formThatOpens("slide-in") } },
  });
  const { page } = site;
  await page.waitForFunction(() => "cfbe" in globalThis);
  await page.getByRole("button", { name: "Offer" }).click();
  await waitForPanel(page);
  await until(page, "the focus", () =>
    page.evaluate(() => {
      const form = document.activeElement?.shadowRoot?.activeElement;
      return form?.shadowRoot?.activeElement?.localName === "input";
    }));
  await pressEscape(page);
  assert.equal(await page.evaluate("document.activeElement.textContent"), "Offer");
});

browserTest("a page without such forms loads no code for them", async () => {
  await using site = await openPage();
  await waitForPopup(site.page);
  assert.ok(!site.backend.requests.some((path) => /\/(openings|slide|bar)-/.test(path)));
});

for (const kind of OPENING_KINDS) {
  browserTest(
    `the form in a ${kind} requests no token before it opens, even once it is prepared`,
    async () => {
      await using site = await openWith(kind);
      const { page, backend } = site;
      await page.evaluate(() => {
        addEventListener("cfbe-beforeshow", (event) => event.preventDefault(), { once: true });
      });
      const has = async (event: string) => (await recordedEvents(page)).some(({ type }) => type === event);
      await until(page, "a canceled form", () => has("cfbe-beforeshow"));
      await waitPastTriggers(page);
      assert.deepEqual(backend.tokenForms, []);
      await page.evaluate(() => history.pushState(null, "", "/other"));
      await until(page, "a token", () => Promise.resolve(backend.tokenForms.length > 0));
      assert.ok(await has("cfbe-show"));
      assert.deepEqual(backend.tokenForms, ["sale"]);
    },
  );
}
