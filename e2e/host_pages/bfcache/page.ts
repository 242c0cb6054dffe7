import assert from "node:assert/strict";
import { goBackToKeptPage } from "../../back_forward_cache.ts";
import { emailField, hostPageTest } from "../host_page.ts";
import { popup } from "../popup.ts";

hostPageTest(
  import.meta.url,
  "back-forward cache: a restored page keeps the entries, fetches a new token, and signs up",
  { backForwardCache: true },
  async ({ page, waitForSignup, signUp, origin }) => {
    await emailField(page).fill("half-typed@example");
    await page.goto(`${origin}/opening`);
    await page.locator("cfbe-form [part=form]").waitFor();
    const token = page.waitForResponse(/form-token/);
    await goBackToKeptPage(page);
    assert.equal(await emailField(page).inputValue(), "half-typed@example");
    assert.equal((await token).status(), 200);
    await signUp("bfcache@example.com");
    await waitForSignup("bfcache@example.com");
  },
);

hostPageTest(
  import.meta.url,
  "back-forward cache: a popup that was open when the visitor left is closed after going back",
  { backForwardCache: true },
  async ({ page, waitForSignup, signUp, origin }) => {
    await page.evaluate("void cfbe.open()");
    await popup(page).waitFor();
    await page.goto(`${origin}/opening`);
    await goBackToKeptPage(page);
    assert.equal(await popup(page).isVisible(), false);
    await signUp("popup-bfcache@example.com");
    await waitForSignup("popup-bfcache@example.com");
  },
);
