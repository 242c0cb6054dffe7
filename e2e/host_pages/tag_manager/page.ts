import assert from "node:assert/strict";
import { hostPageTest } from "../host_page.ts";

hostPageTest(
  import.meta.url,
  "tag manager: a script and a form added by a container work, and the data layer gets the signup's events",
  {},
  async ({ page, waitForSignup, signUp }) => {
    await signUp("tags@example.com");
    await waitForSignup("tags@example.com");
    assert.deepEqual(
      await page.evaluate(
        "dataLayer.map(({ event, form, code }) => [event, form, code].filter(Boolean).join(' '))",
      ),
      [
        "page_view",
        "cfbe-ready footer",
        "cfbe-beforesubmit footer",
        "cfbe-submit footer",
        "cfbe-success footer pending",
      ],
    );
  },
);
