import assert from "node:assert/strict";
import { axeFindings } from "./admin_pages.ts";
import { adminTest, SOON } from "./admin_test_case.ts";
import { openElement, openStep, savedDraft } from "./form_editor.ts";

adminTest(
  "a color that is hard to read is reported while an admin types it, with the nearest one, which is saved as the draft",
  "/popup",
  async ({ page }) => {
    await openElement(page, "Colors and style");
    const color = page.getByRole("textbox", { name: "Text, light", exact: true });
    const line = page.locator("[data-contrast]").getByText("the contrast to the background is 2.8:1");
    await color.fill("#999999");
    await line.waitFor(SOON);
    assert.ok(await color.evaluate((input) => input === document.activeElement), "typing goes on");
    await page.locator("[data-announcer]").getByText("2.8:1").waitFor(SOON);
    assert.deepEqual(await axeFindings(page), []);
    await color.fill("#333333");
    await line.waitFor({ state: "detached", ...SOON });

    await color.fill("#999999");
    await page.getByRole("button", { name: /^Use #/ }).click();
    await line.waitFor({ state: "detached", ...SOON });
    assert.match(await color.inputValue(), /^#7\w{5}$/);
    assert.ok(await color.evaluate((input) => input === document.activeElement), "the field has the focus");
    const nearest = await color.inputValue();
    await savedDraft(page);
    await page.reload();
    await openElement(page, "Colors and style");
    assert.equal(await color.inputValue(), nearest);
    await color.fill("#999999");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.locator(".notice.warn").getByText(/^Popup published\..*Text on light pages/).waitFor(SOON);
  },
);

adminTest(
  "the preview names the row of a list that a value belongs to that can't be saved",
  "/popup",
  async ({ page }) => {
    await openStep(page, "Who sees it");
    await page.getByRole("button", { name: "Add group: Path" }).click();
    await page.getByRole("textbox", { name: "Value" }).fill("");
    const problems = page.getByRole("region", { name: "Live preview" }).locator("[data-problems]");
    await problems.getByText("group 1, Path, Value:").waitFor(SOON);
  },
);

adminTest(
  "while a new field lacks its options, the preview goes on showing what was typed before",
  "/form-settings?form=footer",
  async ({ page }) => {
    const region = page.getByRole("region", { name: "Live preview" });
    const preview = page.frameLocator("iframe.preview:not([data-next])");
    const settings = page.waitForResponse((response) =>
      response.url().includes("/admin/preview?") && response.request().method() === "POST"
    );
    await page.getByRole("textbox", { name: "Heading", exact: true }).fill("Tea on Sundays");
    await settings;
    await openElement(page, "Add a field");
    const fields = page.getByRole("group", { name: "More fields", exact: true });
    await fields.getByRole("button", { name: "Add Select", exact: true }).click();
    await fields.getByLabel("Options").fill("");
    await region.locator("[data-problems] li").first().waitFor(SOON);
    await preview.getByText("Tea on Sundays").waitFor(SOON);
  },
);

adminTest(
  "the colors that take the place of empty ones follow the preset while an admin chooses it",
  "/popup",
  async ({ page }) => {
    await openElement(page, "Colors and style");
    const accent = page.getByRole("textbox", { name: "Accent, light", exact: true });
    const picker = page.getByLabel("Pick: Accent, light");
    const before = await accent.getAttribute("placeholder");
    await page.locator(".presets input:not(:checked)").last().check({ force: true });
    await page.locator(`[name$=".design.accent"]:not([placeholder="${before}"])`).waitFor(SOON);
    assert.equal(await picker.inputValue(), await accent.getAttribute("placeholder"));
  },
);
