import assert from "node:assert/strict";
import { hostPageTest } from "../host_page.ts";
import { recorded } from "../host_view.ts";

hostPageTest(
  import.meta.url,
  "three copies of the script: one form, one signup, and each event once",
  {},
  async ({ page, waitForSignup, signUp }) => {
    assert.equal(await page.locator("[part=form]").count(), 1);
    await signUp("copies@example.com");
    await waitForSignup("copies@example.com");
    const { events } = await recorded(page);
    assert.deepEqual(events.map(({ type }) => type), [
      "cfbe-ready",
      "cfbe-beforesubmit",
      "cfbe-submit",
      "cfbe-success",
    ]);
  },
);
