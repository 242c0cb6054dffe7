import assert from "node:assert/strict";
import { hostPageTest } from "../host_page.ts";
import { POPUP, popup, waitForBlockers } from "../popup.ts";

hostPageTest(
  import.meta.url,
  "host dialog: the popup waits until the shop's own dialog is closed",
  { settings: POPUP, ready: (page) => waitForBlockers(page, "dialog"), console: ["answered"] },
  async ({ page, waitForSignup, signUp }) => {
    assert.equal(await popup(page).isVisible(), false);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await popup(page).waitFor();
    await signUp("dialog@example.com");
    assert.equal((await waitForSignup("dialog@example.com")).record.source, "popup");
  },
);
