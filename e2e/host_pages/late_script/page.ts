import assert from "node:assert/strict";
import { hostPageTest } from "../host_page.ts";
import { recorded } from "../host_view.ts";

const LATE_MS = 3_000;

for (const width of [360, 800, 1280]) {
  hostPageTest(
    import.meta.url,
    `script 3 s late, ${width} px wide: strip, form and section appear in their reserved space without a layout shift`,
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
    async ({ page, waitForSignup }) => {
      const form = page.locator("cfbe-form[form=footer]");
      await form.locator("input[name=email]").fill(`late${width}@gmail.com`);
      await form.locator("[part=button]").click();
      await waitForSignup(`late${width}@gmail.com`);
      await form.getByRole("link", { name: "Open Gmail" }).waitFor();
      // Layout shifts are reported after their frame.
      await page.evaluate(() => new Promise((done) => new IntersectionObserver(done).observe(document.body)));
      assert.equal((await recorded(page)).shifted, 0);
    },
  );
}
