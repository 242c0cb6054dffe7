import assert from "node:assert/strict";
import { hostPage } from "../host_page.ts";

hostPage(
  import.meta.url,
  "tag manager: a script and a form that a container brings work, and the data layer hears of the signup",
  {},
  async ({ page, arrived, signUp }) => {
    await signUp("tags@example.com");
    await arrived("tags@example.com");
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
