import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { axe } from "../../../e2e/axe.ts";
import type { OpeningKind } from "../../../shared/opening_kinds.ts";
import type { PublicOpening } from "../../../shared/public_settings.ts";
import { en } from "../../../shared/texts/en.ts";
import { dialog, isOpen, openPage, pressEscape, RULES, waitForPopup } from "../testing/popup.ts";
import { browserTest, open, type PageOptions, recordedEvents, until } from "../testing/site.ts";

const formThatOpens = (kind: OpeningKind, rules: Partial<PublicOpening> = {}) =>
  ({ layout: "inline", cfg: `${kind}.cfg`, opens: { ...RULES, kind, quietHours: 24, ...rules } }) as const;

const ARTICLE = `<main><h1>A shop</h1><a href="#x">First</a>${
  "<p>Text</p>".repeat(60)
}<a href="#y">Last</a></main>`;

/** Opens a page with the form `sale`, which opens by itself after a second. */
const openWith = (kind: OpeningKind, options: PageOptions = {}) =>
  open(ARTICLE, { ...options, settings: { opening: ["sale"], forms: { sale: formThatOpens(kind) } } });

const panel = (page: Page) => page.locator("cfbe-popup[open] aside");
const waitForPanel = (page: Page) => until(page, "the form", () => panel(page).isVisible());
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
const storedKeys = (page: Page) =>
  page.evaluate(() =>
    [localStorage, sessionStorage].map((storage) => Object.keys(storage).toSorted().join())
  );

browserTest(
  "a slide-in leaves focus and page alone, is announced, closes with Escape, and is remembered on its own",
  async () => {
    await using site = await openWith("slide-in");
    const { page, backend } = site;
    await page.getByText("First").focus();
    await waitForPanel(page);
    assert.equal(await page.evaluate("document.activeElement.textContent"), "First");
    assert.equal(await page.getByRole("complementary", { name: en.heading }).count(), 1);
    assert.equal(await page.locator("cfbe-popup [role=status]").first().textContent(), en.heading);
    assert.match(
      String(await scrollPadding(page, "Bottom")),
      /^\d\d\d/,
      "nothing that gets the focus is covered",
    );
    assert.deepEqual(await violationsOf(page), []);
    assert.ok(!backend.requests.some((path) => /\/(bar|popup)-/.test(path)), "other kinds are not loaded");

    await page.keyboard.press("Escape");
    assert.ok(await panel(page).isVisible(), "Escape belongs to the page until the focus is in the slide-in");
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

      await page.getByLabel(en.emailLabel).fill("ada@example.com");
      await page.getByRole("button", { name: en.button }).click();
      await until(page, "a signup", () => Promise.resolve(backend.signups.length > 0));
      assert.deepEqual([backend.signups[0]!.body.source, backend.signups[0]!.body.form], ["promo", "sale"]);
      await page.evaluate(() => history.pushState(null, "", "/cart"));
      await until(page, "closed", async () => await panel(page).count() === 0);
      assert.equal((await recordedEvents(page)).at(-1)?.detail["reason"], "navigation");
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
    await page.getByLabel(en.emailLabel).fill("ada@example.com");
    await page.getByRole("button", { name: en.button }).click();
    await until(page, "a signup", () => Promise.resolve(backend.signups.length > 0));
    const [left, right] = await page.getByText(en.successHint).evaluate((hint) => {
      const range = document.createRange();
      range.selectNodeContents(hint);
      const { left, right } = range.getBoundingClientRect();
      return [Math.round(left), Math.round(document.documentElement.clientWidth - right)];
    });
    assert.equal(left, right);
  },
);

/** Returns how far an element is from the left and the right edge of the page, and its width, in CSS pixels. */
const sidesOf = (element: Locator) =>
  element.evaluate((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return [left, document.documentElement.clientWidth - right, width].map(Math.round);
  });

for (const dir of ["ltr", "rtl"] as const) {
  browserTest(
    `a slide-in is in the corner at the end of lines or, if chosen, at their start, and as wide as a phone (${dir})`,
    async () => {
      for (const corner of ["end", "start"] as const) {
        const sale = formThatOpens("slide-in", corner === "start" ? { corner } : {});
        await using site = await open(ARTICLE, {
          html: `lang="en" dir="${dir}"`,
          viewport: { width: 1280, height: 800 },
          settings: { dir, opening: ["sale"], forms: { sale } },
        });
        const { page } = site;
        await waitForPanel(page);
        const [left, right, width] = await sidesOf(panel(page));
        assert.equal(width, 384);
        assert.equal((corner === "end") === (dir === "ltr") ? right : left, 16, corner);
        await page.setViewportSize({ width: 360, height: 640 });
        assert.deepEqual(await sidesOf(panel(page)), [0, 0, 360], corner);
      }
    },
  );
}

browserTest(
  "a wide popup is wider in a wide window, fits in a narrower one, and is the usual sheet on a phone",
  async () => {
    for (const own of [true, false]) {
      const size = { width: "wide" } as const;
      const settings = own
        ? { opening: ["sale"], forms: { sale: formThatOpens("popup", size) } }
        : { popup: { cfg: "popup.cfg", rules: RULES, ...size } };
      await using site = await open(ARTICLE, { viewport: { width: 1280, height: 800 }, settings });
      const { page } = site;
      await waitForPopup(page);
      const [left, right, width] = await sidesOf(dialog(page));
      assert.equal(width, 704);
      assert.equal(left, right);
      await page.setViewportSize({ width: 700, height: 800 });
      const [start, end, narrower] = await sidesOf(dialog(page));
      assert.ok(start === end && start! >= 16 && narrower! > 600, `${[start, end, narrower]}`);
      await page.setViewportSize({ width: 360, height: 640 });
      assert.deepEqual(await sidesOf(dialog(page)), [0, 0, 360]);
    }
    await using site = await openPage("", {}, { viewport: { width: 1280, height: 800 } });
    await waitForPopup(site.page);
    assert.equal((await sidesOf(dialog(site.page)))[2], 480, "the standard width");
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
    await page.reload();
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
