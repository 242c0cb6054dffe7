/** The look of the forms: checks with axe and, if asked for, screenshots in `e2e/screenshots/`. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { axe } from "../axe.ts";
import { forEachConcurrently } from "../for_each_concurrently.ts";
import {
  type GalleryOptions,
  galleryTest,
  openGallery,
  saveScreenshot,
  type State,
  STATES,
  type Theme,
  THEMES,
} from "./gallery.ts";

galleryTest("every form is rendered in every theme and state without errors", async () => {
  await forEachConcurrently(Object.keys(STATES) as State[], async (state) => {
    await using gallery = await openGallery({ state });
    const { page } = gallery;
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await saveScreenshot(page, `page-${state}`, true);
    for (const theme of THEMES) {
      await gallery.openPopup(theme);
      await saveScreenshot(page, `popup-${theme}-${state}`);
      await gallery.closePopup();
    }
    assert.deepEqual(errors, []);
  });
});

const CHECKED: State[] = ["idle", "errors", "pending"];
/** With the themes of the popup. The other forms are on the page in both themes. */
const VARIANTS: [variant: string, popups: readonly Theme[], options: GalleryOptions][] = [
  ["left to right", THEMES, {}],
  ["right to left", ["light"], { lang: "ar" }],
  ["in forced colors", ["dark"], { forcedColors: "active" }],
];

for (const [variant, popups, options] of VARIANTS) {
  galleryTest(`axe finds no problems in any of the four forms, light and dark, ${variant}`, async () => {
    const name = variant.replaceAll(" ", "-");
    const rules = {
      // axe can't read forced colors in Chromium. The next test checks them.
      "color-contrast": { enabled: !options.forcedColors },
      // The gallery has the same form six times, with the same name.
      "landmark-unique": { enabled: false },
    };
    await forEachConcurrently(CHECKED, async (state) => {
      await using gallery = await openGallery({ fields: "all", state, ...options });
      const { page } = gallery;
      const check = async (selector: string) => {
        const { violations, passes } = await axe(page).include(selector).options({ rules }).analyze();
        assert.ok(passes.length > 5, `axe has checked ${selector}`);
        assert.deepEqual(violations.map(({ id, nodes }) => [state, id, nodes.map(({ html }) => html)]), []);
      };
      await saveScreenshot(page, `page-${name}-${state}`, true);
      await check("body");
      for (const theme of popups) {
        await gallery.openPopup(theme);
        await saveScreenshot(page, `popup-${name}-${theme}-${state}`);
        await check("cfbe-popup");
        await gallery.closePopup();
      }
    });
  });
}

galleryTest("forced colors are the same in both themes for every element", async () => {
  const colors = (page: Page, theme: Theme) =>
    page.locator(`main cfbe-form[theme=${theme}]`).evaluateAll((forms) =>
      forms.flatMap(({ shadowRoot }) => [...shadowRoot!.querySelectorAll("[part=form], [part=form] *")])
        .map((element) => {
          const { color, stroke } = getComputedStyle(element);
          return [element.localName, color, stroke];
        })
    );
  await forEachConcurrently(CHECKED, async (state) => {
    await using gallery = await openGallery({ fields: "all", state, forcedColors: "active" });
    const light = await colors(gallery.page, "light");
    assert.ok(light.length > 60);
    assert.deepEqual(await colors(gallery.page, "dark"), light);
  });
});
