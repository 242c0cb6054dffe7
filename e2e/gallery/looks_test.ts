/** What the forms look like: a picture of each into `e2e/screenshots/`, and what axe has to say. */
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import {
  each,
  type GalleryOptions,
  galleryTest,
  openGallery,
  SCREENSHOTS,
  type State,
  STATES,
  type Theme,
  THEMES,
} from "./gallery.ts";

galleryTest("every form in every theme and state has its picture taken, and throws nothing", async () => {
  await each(Object.keys(STATES) as State[], async (state) => {
    await using gallery = await openGallery({ state });
    const { page } = gallery;
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.screenshot({ path: `${SCREENSHOTS}page-${state}.png`, fullPage: true });
    for (const theme of THEMES) {
      await gallery.openPopup(theme);
      await page.screenshot({ path: `${SCREENSHOTS}popup-${theme}-${state}.png` });
      await gallery.closePopup();
    }
    assert.deepEqual(errors, []);
  });
});

const LOOKED_AT: State[] = ["idle", "errors", "pending"];
/** With the themes of the popup: the other forms are there in both anyway. */
const WAYS: [way: string, popups: readonly Theme[], options: GalleryOptions][] = [
  ["left to right", THEMES, {}],
  ["right to left", ["light"], { lang: "ar" }],
  ["in forced colours", ["dark"], { forcedColors: "active" }],
];

for (const [way, popups, options] of WAYS) {
  galleryTest(`axe finds nothing on all four forms, light and dark, ${way}`, async () => {
    // It reads colours where Chromium does not say which ones it forces; those are looked at below.
    const name = way.replaceAll(" ", "-");
    const rules = { "color-contrast": { enabled: !options.forcedColors } };
    await each(LOOKED_AT, async (state) => {
      await using gallery = await openGallery({ fields: "all", state, ...options });
      const { page } = gallery;
      const look = async (selector: string) => {
        const { violations, passes } = await new AxeBuilder({ page }).include(selector).options({ rules })
          .analyze();
        assert.ok(passes.length > 5, `axe has seen ${selector}`);
        assert.deepEqual(violations.map(({ id, nodes }) => [state, id, nodes.map(({ html }) => html)]), []);
      };
      await page.screenshot({ path: `${SCREENSHOTS}page-${name}-${state}.png`, fullPage: true });
      await look("body");
      for (const theme of popups) {
        await gallery.openPopup(theme);
        await page.screenshot({ path: `${SCREENSHOTS}popup-${name}-${theme}-${state}.png` });
        await look("cfbe-popup");
        await gallery.closePopup();
      }
    });
  });
}

galleryTest("forced colours are the same in both themes, to the last element", async () => {
  const colours = (page: Page, theme: Theme) =>
    page.locator(`main cfbe-form[theme=${theme}]`).evaluateAll((forms) =>
      forms.flatMap(({ shadowRoot }) => [...shadowRoot!.querySelectorAll("[part=form], [part=form] *")])
        .map((element) => {
          const { color, stroke } = getComputedStyle(element);
          return [element.localName, color, stroke];
        })
    );
  await each(LOOKED_AT, async (state) => {
    await using gallery = await openGallery({ fields: "all", state, forcedColors: "active" });
    const light = await colours(gallery.page, "light");
    assert.ok(light.length > 60);
    assert.deepEqual(await colours(gallery.page, "dark"), light);
  });
});
