import assert from "node:assert/strict";
import { emailField, hostPageTest } from "../host_page.ts";

hostPageTest(
  import.meta.url,
  "Trusted Types: form, hint, link and popup work without assigning strings to script sinks",
  {
    // Caused by the test's own violation below.
    console: ["This document requires 'TrustedHTML' assignment. The action has been blocked."],
    settings: {
      form: { consent: "required", consentText: "I agree to the [rules](https://shop.example/rules)." },
    },
  },
  async ({ page, waitForSignup, signUp }) => {
    const violation = page.evaluate(() => document.createElement("p").innerHTML = "<b>x</b>");
    await assert.rejects(violation, /TrustedHTML/);
    await page.evaluate("recorded.violations.length = 0");
    await page.getByLabel("rules").check();
    await emailField(page).pressSequentially("types@gmial.com");
    await page.locator("[part=hint]").click();
    await signUp("types@gmail.com");
    await waitForSignup("types@gmail.com");
    await page.getByRole("button", { name: "Get 10% off" }).click();
    await page.locator("cfbe-popup dialog").waitFor();
    await page.keyboard.press("Escape");
  },
);
