import assert from "node:assert/strict";
import { hostPage } from "../host_page.ts";
import { heldBackBy, POPUP, popup } from "../popup.ts";

for (const path of ["/cart", "/checkout/payment", "/en/my-account/orders"]) {
  const address = `buyer-${path.split("/").at(-1)}@example.com`;
  hostPage(
    import.meta.url,
    `${path}: no popup, not even by a button, while the form in the page works`,
    {
      path,
      settings: POPUP,
      ready: async (page) => {
        await page.locator("cfbe-form [part=form]").waitFor();
        await heldBackBy(page, "shop-page", "inline-form");
      },
      says: ["[cfbe] the popup stays closed here: shop-page"],
    },
    async ({ page, arrived, signUp }) => {
      await page.getByLabel("Coupon").pressSequentially("SHOES");
      const told = page.waitForEvent("console");
      await page.getByRole("button", { name: "Get 10 % off" }).click();
      await told;
      assert.equal(await page.locator("cfbe-popup").count(), 0);
      assert.equal(await page.getByLabel("Coupon").inputValue(), "SHOES");
      await signUp(address);
      await arrived(address);
      assert.equal(await popup(page).count(), 0);
    },
  );
}
