/** The form in the preview of its editor while it is drawn again. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { adminTest, SOON, SOON_MS } from "./admin_test_case.ts";
import { formIn, isFocused, openElement, openStep, savedDraft } from "./form_editor.ts";
import { hold } from "./held_requests.ts";
import { waitUntil } from "./program.ts";

const FORM = "/form-settings?form=footer";
/** The page in the preview, and with POST the settings that it shows. */
const FRAME = "**/admin/preview?*";

adminTest(
  "an element of the form keeps the focus while the form is drawn again for its move",
  FORM,
  async ({ page }) => {
    const form = formIn(page).locator("cfbe-form:not([hidden])");
    await openElement(page, "Name");
    await page.locator("#edit-form-fields-nameField").selectOption("optional");
    const name = form.getByLabel("Name");
    await name.focus();
    await page.keyboard.press("Alt+ArrowUp");
    await form.locator("[part=field]").first().getByText("Name").waitFor(SOON);
    await waitUntil("the field has the focus again", SOON_MS, () => isFocused(name));
    await page.keyboard.press("Alt+ArrowDown");
    await form.locator("[part=field]").last().getByText("Name").waitFor(SOON);
    await savedDraft(page);
  },
);

adminTest(
  "while the page around the form is replaced, the form stays in view, and what is clicked in it is selected and typed over",
  FORM,
  async ({ page }) => {
    const form = formIn(page);
    const shown = page.locator("iframe.preview");
    // The heading is visible before the page around the form knows.
    await waitUntil("it has drawn", SOON_MS, () => shown.evaluate((frame) => "hasDrawn" in frame));
    await openElement(page, "Add a field");
    const frames = await hold(page, FRAME, (request) => request.method() === "GET");
    await page.locator("#main").evaluate((main) => main.dataset["before"] = "");
    await page.getByRole("button", { name: "Add First name" }).click();
    await page.locator("#main:not([data-before])").waitFor(SOON);
    assert.ok(await form.locator("[part=heading]").isVisible());
    await form.locator("[part=button]").click();
    await page.locator(".panel[data-shown] h2").getByText("Button", { exact: true }).waitFor(SOON);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Jo");
    await frames.count(1);
    // On a busy machine, the page asks for it again.
    frames.end();
    const next = page.frameLocator("iframe.preview[data-next]");
    await next.locator("[data-stage]").waitFor({ ...SOON, state: "attached" });
    await page.keyboard.type("in");
    await page.keyboard.press("Escape");
    await form.getByLabel("First name").waitFor(SOON);
    const button = form.getByRole("button", { name: "Join", exact: true });
    await waitUntil("the button has the focus", SOON_MS, () => isFocused(button));
    await savedDraft(page);
  },
);

for (
  const [when, choose] of [
    ["", () => Promise.resolve()],
    [", after its step was chosen", (page: Page) => openStep(page, "Design")],
  ] as const
) {
  adminTest(
    `a form that is drawn late does not scroll the page away from what has the focus${when}`,
    FORM,
    async ({ page }) => {
      await page.setViewportSize({ width: 320, height: 400 });
      const frames = await hold(page, FRAME, (request) => request.isNavigationRequest());
      await page.reload({ waitUntil: "commit" });
      await page.locator("[data-editor][data-ready]").waitFor(SOON);
      await choose(page);
      await page.locator(".skip").focus();
      await page.keyboard.press("Tab");
      await frames.count(1);
      frames.end();
      await formIn(page).locator("[data-element=heading][data-selected]").waitFor(SOON);
      assert.equal(await page.evaluate(() => scrollY), 0);
    },
  );
}

adminTest(
  "the element that was typed into has the focus in the next frame, though that frame hears late that it has the focus",
  "/popup",
  async ({ page }) => {
    const text = formIn(page).locator("[part=text][data-element]");
    await text.waitFor(SOON);
    await page.addInitScript(() => {
      const hear = ({ data }: MessageEvent) => {
        if (data?.preview !== "focus") return;
        document.hasFocus = () => false;
        setTimeout(() => Reflect.deleteProperty(document, "hasFocus"));
      };
      addEventListener("message", hear, { capture: true });
    });
    const shown = page.locator("iframe.preview:not([data-next])");
    await shown.evaluate((frame) => Object.assign(frame, { isBefore: true }));
    await text.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Typed");
    await page.keyboard.press("Escape");
    const isNext = () => shown.evaluate((frame) => !("isBefore" in frame));
    await waitUntil("the next frame is shown", SOON_MS, isNext);
    await waitUntil("the text has the focus", SOON_MS, () => isFocused(text));
    await savedDraft(page);
  },
);

adminTest(
  "a text in a popup is typed over, though the popup is drawn again while the pointer is down on it, and selected afterwards",
  "/popup",
  async ({ page }) => {
    const form = formIn(page);
    const text = form.locator("[part=text][data-element]");
    await text.waitFor(SOON);
    const updates = await hold(page, FRAME, (request) => request.method() === "POST");
    await page.getByLabel("Heading", { exact: true }).fill("In the panel");
    await updates.count(1);
    await text.hover();
    await page.mouse.down();
    const next = page.frameLocator("iframe.preview[data-next]");
    // On a busy machine, the page asks for it again.
    updates.end();
    await next.getByRole("heading", { name: "In the panel" }).waitFor({ ...SOON, state: "attached" });
    await waitUntil(
      "it has drawn",
      SOON_MS,
      () => page.locator("iframe[data-next]").evaluate((frame) => "hasDrawn" in frame),
    );
    await page.mouse.up();
    await form.locator("[contenteditable]").waitFor(SOON);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Typed");
    await page.unroute(FRAME);
    await page.keyboard.press("Escape");
    await form.getByRole("heading", { name: "In the panel" }).waitFor(SOON);
    await text.getByText(/^Typed$/).waitFor(SOON);
    await savedDraft(page);
    await page.locator("iframe[data-next]").waitFor({ state: "detached", ...SOON });
    await form.locator("[part=button]").click();
    await page.locator(".panel[data-shown] h2").getByText("Button", { exact: true }).waitFor(SOON);
  },
);
