import assert from "node:assert/strict";
import { hostPage } from "../host_page.ts";
import { watched } from "../host_view.ts";

const LATE_MS = 3_000;

for (const width of [360, 800, 1280]) {
  hostPage(
    import.meta.url,
    `script 3 s late, ${width} px wide: strip, form and section come into the room reserved for them, and nothing moves`,
    {
      viewport: { width, height: 1600 },
      settings: {
        forms: {
          forms: [{ name: "footer" }, { name: "section", layout: "block" }, {
            name: "strip",
            layout: "promo",
          }],
        },
      },
      prepare: (page) =>
        page.route(/\/cfbe\.js$/, async (route) => {
          await new Promise((resolve) => setTimeout(resolve, LATE_MS));
          await route.continue();
        }),
      ready: async (page) => {
        await page.locator("cfbe-form[form=strip] [part=close]").waitFor();
        await page.locator("cfbe-form[form=section] [part=form]").waitFor();
        await page.locator("cfbe-form[form=footer] [part=form]").waitFor();
      },
    },
    async ({ page, arrived }) => {
      const form = page.locator("cfbe-form[form=footer]");
      await form.locator("input[name=email]").fill(`late${width}@gmail.com`);
      await form.locator("[part=button]").click();
      await arrived(`late${width}@gmail.com`);
      await form.getByRole("link", { name: "Open Gmail" }).waitFor();
      // Shifts are told after the frame that they happened in.
      await page.evaluate(() => new Promise((done) => new IntersectionObserver(done).observe(document.body)));
      assert.equal((await watched(page)).shifted, 0);
    },
  );
}
