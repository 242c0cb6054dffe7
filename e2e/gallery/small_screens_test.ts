/** Small screens, and visitors who prefer reduced motion. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { forEachConcurrently } from "../for_each_concurrently.ts";
import { spaceText } from "../../widget/src/testing/text_spacing.ts";
import { galleryTest, openGallery, saveScreenshot, type State, STATES } from "./gallery.ts";

/** Returns all visible targets with their size, also in shadow roots. Links in a sentence don't count. */
const targets = (page: Page) =>
  page.evaluate(() => {
    const roots: (Document | ShadowRoot)[] = [document];
    const found: [name: string, width: number, height: number][] = [];
    for (const root of roots) {
      for (const element of root.querySelectorAll<HTMLElement>("*")) {
        if (element.shadowRoot) roots.push(element.shadowRoot);
        if (!element.matches("a, button, input:not([type=checkbox]), label:has(input)")) continue;
        if (
          element.closest(".offscreen, p, label a, label span") ||
          !element.checkVisibility({ visibilityProperty: true })
        ) {
          continue;
        }
        const { width, height } = element.getBoundingClientRect();
        found.push([element.textContent || element.ariaLabel || element.id, width, height]);
      }
    }
    return found;
  });

const SMALL: [lang: string, state: State][] = [
  ["en", "idle"],
  ["de", "slip"],
  ["de", "errors"],
  ["ar", "errors"],
  ["de", "pending"],
];

galleryTest(
  "at 320 px, nothing scrolls horizontally, and every target is at least 44 px wide and high",
  async () => {
    await forEachConcurrently(SMALL, async ([lang, state]) => {
      await using gallery = await openGallery({
        lang,
        state,
        fields: "all",
        viewport: { width: 320, height: 640 },
      });
      const { page } = gallery;
      await saveScreenshot(page, `320px-${lang}-${state}`, true);
      const check = async () => {
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
        const all = await targets(page);
        assert.ok(all.length > 20, `${all.length} targets`);
        assert.deepEqual(all.filter(([, width, height]) => width < 44 || height < 44), []);
      };
      await check();
      const dialog = await gallery.openPopup("light");
      await check();
      assert.equal(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
    });
  },
);

galleryTest("at 320 px, spaced text is neither cut off nor wider than its form, in every state", async () => {
  for (const state of Object.keys(STATES) as State[]) {
    await using gallery = await openGallery({ state, fields: "all", viewport: { width: 320, height: 640 } });
    const { page } = gallery;
    await spaceText(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, state);
    const cut = await page.locator("main cfbe-form").evaluateAll((forms) =>
      forms.flatMap(({ shadowRoot }) => {
        const { right } = shadowRoot!.querySelector("[part~=form]")!.getBoundingClientRect();
        return [...shadowRoot!.querySelectorAll<HTMLElement>("h2,p,label,legend,button,a")]
          .filter((element) =>
            element.checkVisibility({ visibilityProperty: true }) && element.offsetHeight > 1
          )
          .filter((element) =>
            element.scrollHeight > element.clientHeight + 2 &&
              getComputedStyle(element).display !== "inline" ||
            element.getBoundingClientRect().right > right
          )
          .map((element) => element.outerHTML);
      })
    );
    assert.deepEqual(cut, [], state);
  }
});

galleryTest(
  "on a phone, the popup is a sheet at the bottom of at most 35% of the height if it has only an email field, in every state",
  async () => {
    await forEachConcurrently(Object.keys(STATES) as State[], async (state) => {
      await using gallery = await openGallery({ state, viewport: { width: 390, height: 780 } });
      const box = (await (await gallery.openPopup("light")).boundingBox())!;
      assert.ok(box.height <= 0.35 * 780, `${state}: ${box.height}`);
      assert.deepEqual([box.x, box.width, box.y + box.height], [0, 390, 780]);
      await saveScreenshot(gallery.page, `sheet-${state}`);
    });
  },
);

galleryTest("the popup fades in, except for visitors who prefer reduced motion", async () => {
  const countAnimations = async (reducedMotion: "reduce" | "no-preference") => {
    await using gallery = await openGallery({ reducedMotion });
    const { page } = gallery;
    await page.evaluate(() => {
      document.addEventListener("cfbe-show", () => {
        const roots = [
          document,
          ...[...document.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? []),
        ];
        const long = roots.flatMap((root) => root.getAnimations())
          .filter(({ effect }) => Number(effect!.getComputedTiming().endTime) > 1000 / 60);
        Object.assign(globalThis, { animations: long.length });
      });
    });
    await gallery.openPopup("light");
    return await page.evaluate(() => Reflect.get(globalThis, "animations"));
  };
  assert.ok(await countAnimations("no-preference") > 0);
  assert.equal(await countAnimations("reduce"), 0);
});
