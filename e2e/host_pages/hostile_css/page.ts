import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { emailField, hostPageTest } from "../host_page.ts";

const styleOf = (element: Locator) =>
  element.evaluate((element) => {
    const { fontSize, opacity, pointerEvents, display, borderStyle } = getComputedStyle(element);
    return { fontSize, opacity, pointerEvents, display, borderStyle };
  });
const EXPECTED = { fontSize: "16px", opacity: "1", pointerEvents: "auto", borderStyle: "solid" };

hostPageTest(
  import.meta.url,
  "hostile CSS: a theme that resets everything affects neither the form nor the popup",
  { reducedMotion: "reduce" },
  async ({ page, waitForSignup, signUp }) => {
    const { display: _, ...input } = await styleOf(emailField(page));
    assert.deepEqual(input, EXPECTED);
    await signUp("hostile@example.com");
    await waitForSignup("hostile@example.com");
    await page.getByText("Get 10% off").click();
    const dialog = page.locator("cfbe-popup dialog");
    await dialog.waitFor();
    assert.equal((await styleOf(dialog)).opacity, "1");
    assert.ok((await dialog.boundingBox())!.width > 300);
  },
);
