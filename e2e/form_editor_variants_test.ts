/** Making the variants of an experiment in the editor of their form. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { axeFindings } from "./admin_pages.ts";
import { adminTest, SOON } from "./admin_test_case.ts";
import {
  addVariant,
  chooseLanguage,
  formIn,
  openElement,
  savedDraft,
  saveImage,
  showsImage,
} from "./form_editor.ts";

const FORM = "/form-settings?form=footer";
const PHONE = { width: 390, height: 844 };
/** Three lines of a result, with the room around them. */
const FEW_LINES_PX = 100;

const headingIn = (page: Page) => formIn(page).locator("[part=heading]");
const tabs = (page: Page) => page.getByRole("navigation", { name: "Variants" });

adminTest(
  "a variant's heading is typed into the form itself, saved as one goes, counted in its tab, undone, and the form's own stays",
  FORM,
  async ({ page }) => {
    await addVariant(page);
    const shown = await headingIn(page).innerText();
    await headingIn(page).click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Tea in your inbox");
    await page.keyboard.press("Escape");
    await savedDraft(page);
    await tabs(page).getByText("1 difference, 50%").waitFor(SOON);
    await page.locator(".elements").getByText("Heading differs").waitFor(SOON);
    await page.reload();
    await headingIn(page).getByText("Tea in your inbox").waitFor(SOON);
    await openElement(page, "Heading");
    await page.getByRole("button", { name: "Use the form’s (Heading)" }).click();
    await headingIn(page).getByText(shown).waitFor(SOON);
    await savedDraft(page);
    await tabs(page).getByText("no difference, 50%").waitFor(SOON);
    await page.getByRole("button", { name: "Undo" }).click();
    await savedDraft(page);
    await tabs(page).getByText("1 difference, 50%").waitFor(SOON);
    await tabs(page).getByRole("link", { name: "Original" }).click();
    await headingIn(page).getByText(shown).waitFor(SOON);
  },
);

adminTest(
  "uploading, describing, changing and removing a variant's image are steps of undo and redo, between those of its texts",
  FORM,
  async ({ page }) => {
    await addVariant(page);
    const own = await headingIn(page).innerText();
    const heading = page.locator("[name='fields.heading'], [data-name='fields.heading']");
    await openElement(page, "Heading");
    await heading.fill("Tea in your inbox");
    await saveImage(page, "A pot of tea", { width: 200, height: 100 });
    await saveImage(page, "A cup of tea");
    await page.locator("#image").getByRole("button", { name: "Show no image" }).click();
    await showsImage(page, undefined);
    const [undo, redo] = ["Undo", "Redo"].map((name) => page.getByRole("button", { name, exact: true }));
    for (const alt of ["A cup of tea", "A pot of tea", "", undefined]) {
      await undo!.click();
      await showsImage(page, alt);
    }
    assert.equal(await heading.inputValue(), "Tea in your inbox");
    await undo!.click();
    await headingIn(page).getByText(own).waitFor(SOON);
    await savedDraft(page);
    assert.equal(await undo!.isEnabled(), false);
    await redo!.click();
    await headingIn(page).getByText("Tea in your inbox").waitFor(SOON);
    for (const alt of ["", "A pot of tea", "A cup of tea", undefined]) {
      await redo!.click();
      await showsImage(page, alt);
    }
    await tabs(page).getByText("2 differences, 50%").waitFor(SOON);
  },
);

adminTest(
  "a press of a button counts that leaves a field which is saved meanwhile, and the page with the answer leaves its question open",
  FORM,
  async ({ page }) => {
    await addVariant(page);
    await saveImage(page, "A pot of tea", { width: 200, height: 100 });
    await page.locator("#image").getByLabel("Description").fill("A cup of tea");
    const start = (await page.getByRole("button", { name: "Start experiment" }).boundingBox())!;
    await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
    const saved = page.waitForResponse((response) => response.request().method() === "POST");
    await page.mouse.down();
    await (await saved).finished();
    await page.mouse.up();
    await showsImage(page, "A cup of tea");
    await page.getByRole("dialog").getByRole("button", { name: "Start experiment" }).click();
    await page.getByText("Running", { exact: true }).waitFor(SOON);
  },
);

adminTest(
  "in a variant, what is the same in all variants is not typed over, and says so",
  FORM,
  async ({ page }) => {
    await addVariant(page);
    const email = formIn(page).locator("form [part=field]").first();
    await email.locator("label, [part~=label]").first().dblclick();
    await page.locator(".panel[data-shown]").getByText("The same in all variants").waitFor(SOON);
    assert.equal(await formIn(page).locator("[contenteditable]").count(), 0);
    await page.locator(".panel[data-shown]").getByRole("link", { name: "Change it in the form" }).click();
    await page.waitForURL("**/form-settings?form=footer#email");
    await page.locator(".panel[data-shown] h2").getByText("Email", { exact: true }).waitFor(SOON);
  },
);

adminTest(
  "of two windows with one variant, the second is told, and keeps its own or takes the other's",
  FORM,
  async ({ page }) => {
    await addVariant(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    for (const each of [other, page]) await openElement(each, "Heading");
    const heading = (each: Page) => each.getByLabel("Heading", { exact: true });
    await heading(other).fill("Theirs");
    await savedDraft(other);
    await heading(page).fill("Mine");
    const state = page.locator("[data-saved]");
    await state.getByText("Not saved: Someone else changed “Variant B”").waitFor(SOON);
    await state.getByRole("button", { name: "Keep mine" }).click();
    await savedDraft(page);
    await other.reload();
    await openElement(other, "Heading");
    assert.equal(await heading(other).inputValue(), "Mine");
    await other.close();
  },
);

adminTest(
  "by keyboard and on a phone, a variant is changed and its experiment started, and axe finds nothing in any state",
  FORM,
  async ({ page }) => {
    assert.deepEqual(await axeFindings(page), [], "no experiment");
    await addVariant(page);
    assert.deepEqual(await axeFindings(page), [], "a variant");
    await page.setViewportSize(PHONE);
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(await width() <= PHONE.width, `${await width()} px`);
    assert.deepEqual(await axeFindings(page), [], "on a phone");
    const link = page.getByRole("navigation", { name: "Elements" }).getByRole("link", { name: /^Button/ });
    await link.focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(
      () => document.activeElement?.id === "edit-variant-fields-button",
      undefined,
      SOON,
    );
    await page.keyboard.type("Get the tea");
    await formIn(page).locator("[part=button]").getByText("Get the tea").waitFor(SOON);
    await savedDraft(page);
    await page.getByRole("button", { name: "Start experiment" }).first().focus();
    await page.keyboard.press("Enter");
    const start = page.getByRole("dialog").getByRole("button", { name: "Start experiment" });
    await start.focus();
    await page.keyboard.press("Enter");
    await page.getByText("no visitor has seen the form since the start").waitFor(SOON);
    assert.ok(await width() <= PHONE.width, `${await width()} px`);
    assert.deepEqual(await axeFindings(page), [], "a variant of a running experiment");
    const result = page.locator("details.outcome");
    const line = result.locator("summary");
    const { height } = (await line.boundingBox())!;
    assert.ok(height < FEW_LINES_PX, `${height} px: at most three lines`);
    await line.focus();
    await page.keyboard.press("Enter");
    await result.getByText("you can save it as a draft").waitFor(SOON);
    assert.deepEqual(await axeFindings(page), [], "the unfolded result");
    await openElement(page, "Button");
    assert.equal(await page.getByLabel("Button", { exact: true }).isDisabled(), true);
  },
);

adminTest(
  "while an experiment is running, the form says at its top what cannot be published and what leads on, and a refusal is in view and has the focus on a phone",
  FORM,
  async ({ page, open }) => {
    await addVariant(page);
    await openElement(page, "Heading");
    await page.getByLabel("Heading", { exact: true }).fill("Short");
    await savedDraft(page);
    await page.getByRole("button", { name: "Start experiment" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Start experiment" }).click();
    await page.getByText("no visitor has seen the form since the start").waitFor(SOON);
    await page.setViewportSize(PHONE);
    await open(FORM);
    const note = page.locator(".variants .notice", {
      hasText: "what visitors see cannot be published",
    });
    await note.waitFor(SOON);
    const { y, height } = (await note.boundingBox())!;
    assert.ok(y + height <= PHONE.height, "in the first view");
    assert.deepEqual(await axeFindings(page), []);

    await openElement(page, "Button");
    await page.getByLabel("Button", { exact: true }).fill("Join");
    await savedDraft(page);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const alert = page.getByRole("alert").filter({ hasText: "Nothing was published" });
    await alert.waitFor(SOON);
    await formIn(page).locator("[part=button][data-selected]").getByText("Join").waitFor(SOON);
    assert.ok(await alert.evaluate((element) => element === document.activeElement));
    const box = (await alert.boundingBox())!;
    assert.ok(box.y >= 0 && box.y + box.height <= PHONE.height, `${box.y} px`);

    await note.getByRole("button", { name: "Stop the experiment" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop experiment" }).click();
    await note.waitFor({ ...SOON, state: "detached" });
    assert.equal(await page.getByRole("link", { name: "Duplicate the form" }).count(), 0);
  },
);

adminTest(
  "the question before the start follows what is saved while it is open",
  FORM,
  async ({ page, open }) => {
    const heading = page.getByLabel("Heading", { exact: true });
    const type = async (language: string, text: string) => {
      await chooseLanguage(page, language);
      await openElement(page, "Heading");
      await heading.fill(text);
    };
    await type("German", "Neues");
    await savedDraft(page);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.locator("[data-status]").getByText("footer published.").waitFor(SOON);
    await open(FORM);
    await addVariant(page);
    await openElement(page, "Heading");
    await heading.fill("Short");
    await savedDraft(page);
    const released = Promise.withResolvers<void>();
    await page.route("**/admin/ajax?*", async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.goto(`${page.url()}&locale=de`);
    await openElement(page, "Heading");
    await heading.fill("Kurz");
    await page.getByRole("button", { name: "Start experiment" }).click();
    const lacks = page.getByRole("dialog").getByText("it has none of its own there");
    await lacks.waitFor(SOON);
    released.resolve();
    await lacks.waitFor({ ...SOON, state: "detached" });
    await savedDraft(page);
  },
);
