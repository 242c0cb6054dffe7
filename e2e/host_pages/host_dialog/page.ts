import assert from "node:assert/strict";
import { hostPage } from "../host_page.ts";
import { heldBackBy, POPUP, popup } from "../popup.ts";

hostPage(
  import.meta.url,
  "host dialog open: the popup waits until the shop's own question was answered",
  { settings: POPUP, ready: (page) => heldBackBy(page, "dialog"), says: ["answered"] },
  async ({ page, arrived, signUp }) => {
    assert.equal(await popup(page).isVisible(), false);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await popup(page).waitFor();
    await signUp("dialog@example.com");
    assert.equal((await arrived("dialog@example.com")).record.source, "popup");
  },
);
