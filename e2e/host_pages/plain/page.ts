import assert from "node:assert/strict";
import { email, hostPage } from "../host_page.ts";

hostPage(
  import.meta.url,
  "plain: a visitor signs up on a blog, and its search field, caret and shortcut keys are left alone",
  {},
  async ({ page, arrived, signUp, origin }) => {
    await page.keyboard.press("Home");
    await page.keyboard.type("old ");
    assert.equal(await page.getByLabel("Search").inputValue(), "old rye");
    await page.keyboard.press("Tab");
    assert.equal(
      await email(page).evaluate((input) => input.matches(":focus")),
      true,
      "the form is next in order",
    );
    await page.keyboard.press("Escape");

    await signUp("plain@example.com");
    const { record, consents } = await arrived("plain@example.com");
    assert.equal(record.form, "footer");
    assert.equal(consents[0]!.origin, origin);
    const keys = await page.locator("#keys").textContent();
    assert.equal(keys, "Home o l d   Tab Escape Enter ");
  },
);
