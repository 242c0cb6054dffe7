/** Moving within the page of a form: links to all of its settings, and a focus that is always in view. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { adminTest } from "./admin_test_case.ts";
import { openElement, openStep } from "./form_editor.ts";

/** Returns what covers the focused control; empty if nothing does. Controls in a closed dialog have no place. */
const COVER = `(() => {
  const focused = document.activeElement;
  if (!focused?.closest("main") || focused.matches("iframe")) return "";
  const { left, top, width, height } = focused.getBoundingClientRect();
  if (!width || !height) return "";
  const hit = document.elementFromPoint(left + Math.min(width, innerWidth) / 2, top + height / 2);
  const bar = hit?.closest(".editor-bar,.elements,.canvas");
  return bar && !bar.contains(focused) ? (focused.name || focused.textContent || focused.tagName) + " behind " + bar.className : "";
})()`;
const MOST_TABS = 250;

/** Presses Tab from the start of the page to its end. @returns what was covered when it had the focus */
async function coveredControls(page: Page): Promise<unknown[]> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement).blur();
    getSelection()!.collapse(document.body, 0);
  });
  const covered: unknown[] = [];
  for (let pressed = 0; pressed < MOST_TABS; pressed++) {
    await page.keyboard.press("Tab");
    const cover = await page.evaluate(COVER);
    if (cover) covered.push(cover);
    if (await page.evaluate("document.activeElement === document.body")) return covered;
  }
  throw new Error(`The end was not reached with ${MOST_TABS} tabs.`);
}

for (const viewport of [{ width: 1280, height: 900 }, { width: 390, height: 844 }]) {
  for (const path of ["/form-settings?form=footer", "/popup"]) {
    adminTest(
      `at ${viewport.width} px, no control of ${path} has the focus behind a bar in any step`,
      path,
      async ({ page }) => {
        await page.setViewportSize(viewport);
        await openElement(page, "Colors and style");
        assert.deepEqual(await coveredControls(page), [], "Design");
        for (const step of ["Who sees it", "On your site"] as const) {
          await openStep(page, step);
          assert.deepEqual(await coveredControls(page), [], step);
        }
      },
    );
  }
}

adminTest(
  "adding a field stays where it is, also after a link led to another step",
  "/form-settings?form=footer",
  async ({ page }) => {
    await page.getByRole("link", { name: "Snippet", exact: true }).click();
    await page.locator("[data-step=publish]").waitFor();
    await openStep(page, "Design");
    await page.getByRole("link", { name: "Add a field" }).click();
    await page.locator("#fields").getByRole("button", { name: "Add First name" }).click();
    await page.getByRole("navigation", { name: "Elements" }).getByRole("link", { name: "First name" })
      .waitFor();
    assert.equal(await page.locator("[data-editor]").getAttribute("data-step"), "design");
    assert.equal(
      await page.evaluate(() => document.activeElement?.closest("[data-panel=fields]") !== null),
      true,
    );
  },
);

adminTest(
  "a click beside a question closes it, and does nothing else",
  "/form-settings?form=footer",
  async ({ page }) => {
    await openStep(page, "On your site");
    await page.getByRole("button", { name: "Remove form" }).click();
    const question = page.getByRole("dialog", { name: /^Remove/ });
    await question.waitFor();
    const { x, y } = (await page.getByRole("link", { name: "All forms" }).boundingBox())!;
    await page.mouse.click(x + 5, y + 5);
    await question.waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "Design" }).click();
    assert.match(page.url(), /form-settings/);
    await page.getByRole("link", { name: "All forms" }).click();
    await page.waitForURL("**/forms");
  },
);

adminTest(
  "a step of the editor opens at its start, also from the end of another one",
  "/form-settings?form=footer",
  async ({ page }) => {
    for (const step of ["Who sees it", "On your site", "Who sees it", "Design"] as const) {
      await openStep(page, step);
      const start = page.locator(".panels [data-shown] h2").first();
      const { y } = (await start.boundingBox())!;
      const bar = (await page.locator(".editor-bar").boundingBox())!;
      assert.ok(y >= bar.y + bar.height && y < 900, `${step} starts at ${y} px`);
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    }
  },
);

for (const path of ["/form-settings?form=footer", "/popup"]) {
  adminTest(
    `every link to settings on ${path} shows them, and all settings are linked`,
    path,
    async ({ page }) => {
      const shown = new Set<string>();
      const links = page.locator(".elements a");
      for (const link of await links.all()) {
        await link.click();
        const target = page.locator((await link.getAttribute("href"))!);
        assert.ok(await target.isVisible(), await link.innerText());
        assert.equal(await link.getAttribute("aria-current") ?? "true", "true");
        shown.add((await target.getAttribute("id"))!);
      }
      for (const step of ["Who sees it", "On your site"] as const) {
        await openStep(page, step);
        for (const card of await page.locator(".panel .card[id]:visible").all()) {
          shown.add((await card.getAttribute("id"))!);
        }
      }
      const all = await page.locator(".panel[id], .panel .card[id]").evaluateAll((cards) =>
        cards.map(({ id }) => id)
      );
      // The list of elements is the order.
      assert.deepEqual(all.filter((id) => id !== "order" && !shown.has(id)), []);
    },
  );
}
