import assert from "node:assert/strict";
import { hostPage } from "../host_page.ts";

hostPage(
  import.meta.url,
  "cross-origin: a page that is isolated from other origins takes the widget, which sets no cookie",
  {
    headers: {
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
      "referrer-policy": "no-referrer",
    },
  },
  async ({ page, arrived, signUp, origin }) => {
    assert.equal(await page.evaluate("crossOriginIsolated"), true);
    await signUp("cross@example.com");
    const { consents } = await arrived("cross@example.com");
    assert.equal(consents[0]!.origin, origin);
    assert.deepEqual(await page.context().cookies(), []);
  },
);
