import assert from "node:assert/strict";
import { hostPageTest } from "../host_page.ts";
import { POPUP, popup, waitForBlockers } from "../popup.ts";

hostPageTest(
  import.meta.url,
  "cookie bar: the popup waits until the bar is answered, then opens, and its signup has the source popup",
  { settings: POPUP, ready: (page) => waitForBlockers(page, "cookie-bar") },
  async ({ page, waitForSignup, signUp }) => {
    assert.equal(await popup(page).isVisible(), false);
    await page.getByRole("button", { name: "Accept" }).click();
    await popup(page).waitFor();
    await signUp("cookies@example.com");
    assert.equal((await waitForSignup("cookies@example.com")).record.source, "popup");
    await page.keyboard.press("Escape");
    await page.reload();
    await waitForBlockers(page, "subscribed", "shown", "cookie-bar");
  },
);
