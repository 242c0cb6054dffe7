/** How many actions a marketer needs for a whole form, and what happens to actions in quick succession. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { imageFile } from "../server/forms/images/testing/samples.ts";
import type { Settings } from "../server/settings/schema/schema.ts";
import { adminTest, SOON } from "./admin_test_case.ts";
import { addVariant, openElement, openStep, savedDraft } from "./form_editor.ts";

const MOST_ACTIONS = 12;

adminTest(
  "a form in the site's color with an image, three fields and consent takes at most 12 actions from the gallery, each from where the editor leads",
  "/new-form",
  async ({ page, program }) => {
    let actions = 0;
    const act = async (action: Promise<unknown>) => {
      actions++;
      await action;
    };
    await act(page.getByRole("link", { name: "End of an article", exact: true }).click());
    await act(page.getByRole("button", { name: "Create form" }).click());
    await page.getByRole("navigation", { name: "Elements" }).waitFor(SOON);

    const list = page.locator("#fields .add-buttons");
    await act(openElement(page, "Add a field"));
    for (const field of ["First name", "Birthday"]) {
      await act(list.getByRole("button", { name: `Add ${field}`, exact: true }).click());
      await list.getByRole("button", { name: `${field} added`, exact: true }).waitFor(SOON);
    }
    await act(list.getByRole("link", { name: "Add Consent", exact: true }).click());
    const consent = page.getByLabel("Consent text");
    await consent.waitFor(SOON);
    assert.match(await consent.inputValue(), /^I want to receive/, "read, and left as it is proposed");
    await act(openElement(page, "Colors and style"));
    await act(page.getByLabel("Accent, light", { exact: true }).fill("#0a6b3d"));
    await act(openElement(page, "Image"));
    await act(
      page.getByLabel("File").setInputFiles({
        name: "tea.jpg",
        mimeType: "image/jpeg",
        buffer: Buffer.from(await imageFile("jpeg", { width: 200, height: 100 })),
      }),
    );
    await act(page.getByLabel("Description").fill("A pot of tea"));
    await act(page.getByRole("button", { name: "Publish", exact: true }).click());
    await page.locator("#main").getByText(/published\./).waitFor(SOON);
    await page.frameLocator("iframe.preview:not([data-next])").getByRole("img", { name: "A pot of tea" })
      .waitFor(SOON);
    assert.ok(actions <= MOST_ACTIONS, `${actions} actions`);
    const form = (await program.setting<Settings["forms"]["forms"]>("forms.forms")).at(-1);
    assert.deepEqual(
      [form?.fields?.length, form?.consent, form?.design?.accent, typeof form?.design?.image, form?.status],
      [2, "required", "#0a6b3d", "object", undefined],
      "beside the email address",
    );
  },
);

adminTest(
  "after Publish and after dialogs, the keyboard goes on where it was, a phone stays where it was, and the time of a save names its zone",
  "/form-settings?form=footer",
  async ({ page }) => {
    const focused = () =>
      page.evaluate(() => document.activeElement?.textContent?.trim().replace(/\s+/g, " ") ?? "");
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Emulation.setTimezoneOverride", { timezoneId: "Asia/Tokyo" });
    await page.setViewportSize({ width: 390, height: 500 });
    await page.getByLabel("Heading", { exact: true }).fill("Tea");
    await page.getByText(/^Saved \d\d:\d\d \(UTC\)$/).waitFor(SOON);
    await page.reload();
    await page.getByText(/^Saved \d\d:\d\d \(UTC\)$/).waitFor(SOON);
    const publish = page.getByRole("button", { name: "Publish", exact: true });
    await publish.focus();
    const scrolled = () => page.evaluate(() => scrollY);
    await page.evaluate(() => scrollTo(0, 100));
    const before = await scrolled();
    await page.keyboard.press("Enter");
    await page.locator("#main").getByText("published.").waitFor(SOON);
    assert.equal(await focused(), "Publish");
    assert.equal(await scrolled(), before);

    await openStep(page, "Design");
    await addVariant(page);
    await openElement(page, "Heading");
    await page.getByLabel("Heading", { exact: true }).fill("Short");
    await savedDraft(page);
    await page.getByRole("button", { name: "Start experiment" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Start experiment" }).press("Enter");
    await page.getByText("no visitor has seen the form since the start").waitFor(SOON);
    assert.match(await focused(), /^Stop/);
  },
);

adminTest(
  "a button that is pressed before the page has changed for the one before it is not swallowed",
  "/form-settings?form=footer",
  async ({ page }) => {
    await openStep(page, "Who sees it");
    const asked = Promise.withResolvers<void>();
    const arePressed = Promise.withResolvers<void>();
    await page.route("**/admin/ajax?*", async (route) => {
      asked.resolve();
      await arePressed.promise;
      await route.continue();
    });
    const audience = page.locator("#audience");
    await page.getByRole("button", { name: "Open by itself", exact: true }).click();
    await asked.promise;
    await audience.getByRole("button", { name: "Add group: Path" }).dblclick();
    arePressed.resolve();
    await audience.getByRole("group", { name: "Group 1: all conditions must hold" }).waitFor(SOON);
    assert.ok(await page.getByRole("button", { name: "Show only where a page has it" }).isVisible());
    await savedDraft(page);
    assert.equal(await audience.getByRole("group", { name: /^Group \d/ }).count(), 1);
  },
);

adminTest(
  "undo and redo of an added field by keyboard leave the focus on the link that has it",
  "/form-settings?form=footer",
  async ({ page }) => {
    const add = page.getByRole("navigation", { name: "Elements" }).getByRole("link", { name: "Add a field" });
    const name = page.getByRole("navigation", { name: "Elements" }).getByRole("link", {
      name: /^First name/,
    });
    await add.press("Enter");
    await page.getByRole("button", { name: "Add First name" }).press("Enter");
    await name.waitFor(SOON);
    await savedDraft(page);
    await add.focus();
    for (const [key, state] of [["z", "detached"], ["y", "visible"]] as const) {
      await page.keyboard.press(`ControlOrMeta+${key}`);
      await name.waitFor({ ...SOON, state });
      await savedDraft(page);
      // The list with the link is about to be replaced again, which keeps its focus.
      assert.ok(await page.evaluate(() => document.activeElement?.matches(".add-element")), key);
    }
  },
);
