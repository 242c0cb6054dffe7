import assert from "node:assert/strict";
import { hostPageTest } from "../host_page.ts";
import { POPUP, popup, waitForBlockers } from "../popup.ts";

for (const path of ["/cart", "/checkout/payment", "/en/my-account/orders"]) {
  const address = `buyer-${path.split("/").at(-1)}@example.com`;
  hostPageTest(
    import.meta.url,
    `${path}: the popup never opens, not even with a button, and the form on the page works`,
    {
      path,
      settings: POPUP,
      ready: async (page) => {
        await page.locator("cfbe-form [part=form]").waitFor();
        await waitForBlockers(page, "shop-page", "inline-form");
      },
      console: ["[cfbe] the popup stays closed here: shop-page"],
    },
    async ({ page, waitForSignup, signUp }) => {
      await page.getByLabel("Coupon").pressSequentially("SHOES");
      const warning = page.waitForEvent("console");
      await page.getByRole("button", { name: "Get 10% off" }).click();
      await warning;
      assert.equal(await page.locator("cfbe-popup").count(), 0);
      assert.equal(await page.getByLabel("Coupon").inputValue(), "SHOES");
      await signUp(address);
      await waitForSignup(address);
      assert.equal(await popup(page).count(), 0);
    },
  );
}
