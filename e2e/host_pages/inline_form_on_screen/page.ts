import assert from "node:assert/strict";
import { hostPageTest } from "../host_page.ts";
import { POPUP, popup, waitForBlockers } from "../popup.ts";

hostPageTest(
  import.meta.url,
  "inline form on screen: the popup waits until the reader has scrolled past the form",
  { settings: POPUP, ready: (page) => waitForBlockers(page, "inline-form") },
  async ({ page, waitForSignup, signUp }) => {
    assert.equal(await popup(page).isVisible(), false);
    await page.mouse.move(400, 400);
    await page.mouse.wheel(0, 1500);
    await popup(page).waitFor();
    await page.keyboard.press("Escape");
    await page.evaluate(() => scrollTo(0, 0));
    await signUp("inline@example.com");
    assert.equal((await waitForSignup("inline@example.com")).record.source, "shortcode");
  },
);
