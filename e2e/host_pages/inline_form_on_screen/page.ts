import assert from "node:assert/strict";
import { hostPage } from "../host_page.ts";
import { heldBackBy, POPUP, popup } from "../popup.ts";

hostPage(
  import.meta.url,
  "inline form on screen: the popup does not ask twice, and comes when the reader has scrolled on",
  { settings: POPUP, ready: (page) => heldBackBy(page, "inline-form") },
  async ({ page, arrived, signUp }) => {
    assert.equal(await popup(page).isVisible(), false);
    await page.mouse.move(400, 400);
    await page.mouse.wheel(0, 1500);
    await popup(page).waitFor();
    await page.keyboard.press("Escape");
    await page.evaluate(() => scrollTo(0, 0));
    await signUp("inline@example.com");
    assert.equal((await arrived("inline@example.com")).record.source, "shortcode");
  },
);
