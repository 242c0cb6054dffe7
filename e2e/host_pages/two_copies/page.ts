import assert from "node:assert/strict";
import { hostPage } from "../host_page.ts";
import { watched } from "../host_view.ts";

hostPage(
  import.meta.url,
  "two copies of the script, and a third: one form, one signup, and each event once",
  {},
  async ({ page, arrived, signUp }) => {
    assert.equal(await page.locator("[part=form]").count(), 1);
    await signUp("copies@example.com");
    await arrived("copies@example.com");
    const { events } = await watched(page);
    assert.deepEqual(events.map(({ type }) => type), [
      "cfbe-ready",
      "cfbe-beforesubmit",
      "cfbe-submit",
      "cfbe-success",
    ]);
  },
);
