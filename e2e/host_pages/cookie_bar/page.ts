import assert from "node:assert/strict";
import { hostPage } from "../host_page.ts";
import { heldBackBy, POPUP, popup } from "../popup.ts";

hostPage(
  import.meta.url,
  "cookie bar: the popup waits until it was answered, then comes, and its signup is the popup's",
  { settings: POPUP, ready: (page) => heldBackBy(page, "cookie-bar") },
  async ({ page, arrived, signUp }) => {
    assert.equal(await popup(page).isVisible(), false);
    await page.getByRole("button", { name: "Accept" }).click();
    await popup(page).waitFor();
    await signUp("cookies@example.com");
    assert.equal((await arrived("cookies@example.com")).record.source, "popup");
    await page.keyboard.press("Escape");
    await page.reload();
    await heldBackBy(page, "subscribed", "shown", "cookie-bar");
  },
);
