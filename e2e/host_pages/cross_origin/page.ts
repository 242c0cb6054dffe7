import assert from "node:assert/strict";
import { hostPageTest } from "../host_page.ts";

hostPageTest(
  import.meta.url,
  "cross-origin: the widget works on a cross-origin isolated page and sets no cookie",
  {
    headers: {
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
      "referrer-policy": "no-referrer",
    },
  },
  async ({ page, waitForSignup, signUp, origin }) => {
    assert.equal(await page.evaluate("crossOriginIsolated"), true);
    await signUp("cross@example.com");
    const { consents } = await waitForSignup("cross@example.com");
    assert.equal(consents[0]!.origin, origin);
    assert.deepEqual(await page.context().cookies(), []);
  },
);
