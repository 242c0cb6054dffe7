import assert from "node:assert/strict";
import { emailField, hostPageTest } from "../host_page.ts";

hostPageTest(
  import.meta.url,
  "plain: a visitor signs up on a blog, whose search field, caret and shortcut keys still work",
  {},
  async ({ page, waitForSignup, signUp, origin }) => {
    await page.keyboard.press("Home");
    await page.keyboard.type("old ");
    assert.equal(await page.getByLabel("Search").inputValue(), "old rye");
    await page.keyboard.press("Tab");
    assert.equal(
      await emailField(page).evaluate((input) => input.matches(":focus")),
      true,
      "the form is next in the tab order",
    );
    await page.keyboard.press("Escape");

    await signUp("plain@example.com");
    const { record, consents } = await waitForSignup("plain@example.com");
    assert.equal(record.form, "footer");
    assert.equal(consents[0]!.origin, origin);
    const keys = await page.locator("#keys").textContent();
    assert.equal(keys, "Home o l d   Tab Escape Enter ");
  },
);
