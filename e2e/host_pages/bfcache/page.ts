import assert from "node:assert/strict";
import { email, hostPage } from "../host_page.ts";
import { popup } from "../popup.ts";

hostPage(
  import.meta.url,
  "back-forward cache: a page that comes out of it keeps what was typed, gets a fresh token, and signs up",
  {},
  async ({ page, arrived, signUp, origin }) => {
    await email(page).fill("half-typed@example");
    await page.goto(`${origin}/opening`);
    await page.locator("cfbe-form [part=form]").waitFor();
    const token = page.waitForResponse(/form-token/);
    await page.goBack({ waitUntil: "commit" });
    await page.locator("body[data-persisted=true]").waitFor();
    assert.equal(await email(page).inputValue(), "half-typed@example");
    assert.equal((await token).status(), 200);
    await signUp("bfcache@example.com");
    await arrived("bfcache@example.com");
  },
);

hostPage(
  import.meta.url,
  "back-forward cache: a popup that was open when the visitor left is not there on the way back",
  {},
  async ({ page, arrived, signUp, origin }) => {
    await page.evaluate("void cfbe.open()");
    await popup(page).waitFor();
    await page.goto(`${origin}/opening`);
    await page.goBack({ waitUntil: "commit" });
    await page.locator("body[data-persisted=true]").waitFor();
    assert.equal(await popup(page).isVisible(), false);
    await signUp("popup-bfcache@example.com");
    await arrived("popup-bfcache@example.com");
  },
);
