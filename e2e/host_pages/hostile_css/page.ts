import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { email, hostPage } from "../host_page.ts";

const look = (element: Locator) =>
  element.evaluate((element) => {
    const { fontSize, opacity, pointerEvents, display, borderStyle } = getComputedStyle(element);
    return { fontSize, opacity, pointerEvents, display, borderStyle };
  });
const GOOD = { fontSize: "16px", opacity: "1", pointerEvents: "auto", borderStyle: "solid" };

hostPage(
  import.meta.url,
  "hostile CSS: a theme that unsets everything reaches neither the form nor the popup",
  { reducedMotion: "reduce" },
  async ({ page, arrived, signUp }) => {
    const { display: _, ...input } = await look(email(page));
    assert.deepEqual(input, GOOD);
    await signUp("hostile@example.com");
    await arrived("hostile@example.com");
    await page.getByText("Get 10 % off").click();
    const dialog = page.locator("cfbe-popup dialog");
    await dialog.waitFor();
    assert.equal((await look(dialog)).opacity, "1");
    assert.ok((await dialog.boundingBox())!.width > 300);
  },
);
