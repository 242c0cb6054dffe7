import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { dialog, openPage, RULES, waitForPopup } from "../testing/popup.ts";
import { browserTest, open, until } from "../testing/site.ts";
import { ARTICLE, formThatOpens } from "../testing/openings.ts";

const panel = (page: Page) => page.locator("cfbe-popup[open] aside");
const waitForPanel = (page: Page) => until(page, "the form", () => panel(page).isVisible());

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
