/**
 * A visitor signs up through each kind of form, in a real browser with the real clock, and the signup is stored.
 */
import assert from "node:assert/strict";
import { launch } from "../browser.ts";
import { createOverlap } from "../overlap.ts";
import { formOf, KINDS, startShop } from "../shop_with_form.ts";

const SOON_MS = 20_000;

const overlap = createOverlap();
Deno.test.afterAll(() => overlap.end());

for (const kind of KINDS) {
  overlap.add(
    `a visitor signs up through the form of the kind ${kind}, and the signup is stored`,
    async () => {
      await using shop = await startShop(kind);
      const browser = await launch();
      try {
        const page = await (await browser.newContext({ locale: "en" })).newPage();
        await page.goto(shop.url);
        const email = `${kind}@example.com`;
        const field = page.getByRole("textbox", { name: "Email address" });
        await field.waitFor({ timeout: SOON_MS });
        await field.fill(email);
        await page.getByRole("button", { name: "Subscribe" }).click();
        await page.getByText("check your inbox").last().waitFor({ timeout: SOON_MS });
        assert.equal(await formOf(shop.program, email), `my-${kind}`);
      } finally {
        await browser.close();
      }
    },
  );
}
