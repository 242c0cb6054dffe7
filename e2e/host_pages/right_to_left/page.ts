import assert from "node:assert/strict";
import { ar } from "../../../shared/texts/ar.ts";
import { emailField, hostPageTest } from "../host_page.ts";

hostPageTest(
  import.meta.url,
  "right to left: an Arabic shop gets an Arabic right-to-left form, and the signup records the language",
  { locale: "ar" },
  async ({ page, waitForSignup, signUp }) => {
    const [field, button] = [
      await emailField(page).boundingBox(),
      await page.locator("[part=button]").boundingBox(),
    ];
    assert.ok(button!.x < field!.x, "the button is to the left of the field");
    await signUp("rtl@example.com");
    await page.getByText(ar.form.success).waitFor();
    const { consents } = await waitForSignup("rtl@example.com");
    assert.equal(consents[0]!.locale, "ar");
  },
);
