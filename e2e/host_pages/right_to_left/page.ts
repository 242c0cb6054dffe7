import assert from "node:assert/strict";
import { ar } from "../../../shared/texts/ar.ts";
import { email, hostPage } from "../host_page.ts";

hostPage(
  import.meta.url,
  "right to left: an Arabic shop gets an Arabic form that runs its way, and the signup is recorded in Arabic",
  { locale: "ar" },
  async ({ page, arrived, signUp }) => {
    const [field, button] = [
      await email(page).boundingBox(),
      await page.locator("[part=button]").boundingBox(),
    ];
    assert.ok(button!.x < field!.x, "the button stands to the left of the field");
    await signUp("rtl@example.com");
    await page.getByText(ar.success).waitFor();
    const { consents } = await arrived("rtl@example.com");
    assert.equal(consents[0]!.locale, "ar");
  },
);
