import assert from "node:assert/strict";
import { email, hostPage } from "../host_page.ts";

hostPage(
  import.meta.url,
  "Trusted Types: no form, hint, link nor popup makes a script out of a string",
  {
    // Of the test's own trespass.
    says: ["This document requires 'TrustedHTML' assignment. The action has been blocked."],
    settings: {
      form: { consent: "required", consentText: "I agree to the [rules](https://shop.example/rules)." },
    },
  },
  async ({ page, arrived, signUp }) => {
    const made = page.evaluate(() => document.createElement("p").innerHTML = "<b>x</b>");
    await assert.rejects(made, /TrustedHTML/);
    await page.evaluate("watched.violations.length = 0");
    await page.getByLabel("rules").check();
    await email(page).pressSequentially("types@gmial.com");
    await page.locator("[part=hint]").click();
    await signUp("types@gmail.com");
    await arrived("types@gmail.com");
    await page.getByRole("button", { name: "Get 10 % off" }).click();
    await page.locator("cfbe-popup dialog").waitFor();
    await page.keyboard.press("Escape");
  },
);
