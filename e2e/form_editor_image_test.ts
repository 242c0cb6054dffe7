/** What the editor of a form says about its image, and keeps of it, while it is sent and described. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { imageFile } from "../server/forms/images/testing/samples.ts";
import { adminTest, SOON, SOON_MS } from "./admin_test_case.ts";
import { waitUntil } from "./program.ts";
import { formIn, openElement, savedDraft, saveImage, showsImage } from "./form_editor.ts";

const FORM = "/form-settings?form=footer";

adminTest(
  "while an image is sent, the editor says so; if that fails, it says so and sends it again",
  FORM,
  async ({ page, expectError }) => {
    expectError(/ERR_FAILED/);
    const buffer = Buffer.from(await imageFile("jpeg", { width: 200, height: 100 }));
    const status = page.locator("#image").getByRole("status");
    const sent = Promise.withResolvers<void>();
    let requests = 0;
    await page.route("**/admin/upload?*", async (route) => {
      await sent.promise;
      await (++requests === 1 ? route.abort() : route.continue());
    });
    await openElement(page, "Image");
    await page.getByLabel("File").setInputFiles({ name: "tea.jpg", mimeType: "image/jpeg", buffer });
    await status.getByText("Uploading tea.jpg…").waitFor(SOON);
    sent.resolve();
    await status.getByText("tea.jpg was not uploaded.").waitFor(SOON);
    await status.getByRole("button", { name: "Try again" }).click();
    await formIn(page).locator("[part=image]").waitFor(SOON);
    await status.waitFor({ ...SOON, state: "hidden" });
    await savedDraft(page);
  },
);

adminTest(
  "an image that is chosen before its script has loaded is saved once it has",
  FORM,
  async ({ page }) => {
    const chosen = Promise.withResolvers<void>();
    await page.route("**/image_fields*.js*", (route) => chosen.promise.then(() => route.continue()));
    await page.reload();
    await openElement(page, "Image");
    const buffer = Buffer.from(await imageFile("jpeg", { width: 40, height: 30 }));
    await page.getByLabel("File").setInputFiles({ name: "tea.jpg", mimeType: "image/jpeg", buffer });
    chosen.resolve();
    await formIn(page).locator("[part=image]").waitFor(SOON);
    await savedDraft(page);
  },
);

adminTest(
  "that an image has to be described follows what is typed, and whether it is decorative",
  FORM,
  async ({ page }) => {
    const buffer = Buffer.from(await imageFile("jpeg", { width: 200, height: 100 }));
    const note = page.getByText("Describe the image before you publish it");
    const alt = page.locator("#image").getByLabel("Description");
    await openElement(page, "Image");
    await page.getByLabel("File").setInputFiles({ name: "tea.jpg", mimeType: "image/jpeg", buffer });
    await note.waitFor(SOON);
    assert.match(await alt.getAttribute("aria-describedby") ?? "", /note/);
    await page.route("**/admin/upload?*", (route) => route.abort());
    await alt.pressSequentially("A");
    await note.waitFor({ ...SOON, state: "hidden" });
    assert.doesNotMatch(await alt.getAttribute("aria-describedby") ?? "", /note/);
    await alt.press("Backspace");
    await note.waitFor(SOON);
    await page.unroute("**/admin/upload?*");
    // What is typed is saved by leaving the field, for a button whose list stays where it belongs.
    await alt.pressSequentially("Tea");
    const button = page.locator("#language");
    const replaced = page.waitForResponse("**/admin/upload?*", SOON);
    await button.click();
    await replaced;
    await waitUntil("the list is at its button", SOON_MS, async () => {
      const [list, above] = await Promise.all(
        [page.locator("#languages"), button].map((each) => each.boundingBox()),
      );
      return list && above ? Math.abs(list.y - above.y - above.height) < 8 : false;
    });
    await page.keyboard.press("Escape");
    await alt.clear();
    await page.locator("#image").getByRole("switch", { name: "Decorative" }).check();
    await note.waitFor({ ...SOON, state: "hidden" });
    await savedDraft(page);
  },
);

adminTest(
  "a file that is too large is not sent, and says so at its field, and the next one is taken",
  "/form-settings?form=footer#image",
  async ({ page }) => {
    let sent = 0;
    page.on("request", (request) => request.url().includes("/upload") && sent++);
    await openElement(page, "Image");
    const file = page.locator("#image input[type=file]");
    const choose = (buffer: Buffer) => file.setInputFiles({ name: "a.jpg", mimeType: "image/jpeg", buffer });
    await choose(Buffer.alloc(10_000_000));
    const problem = () => file.evaluate((field: HTMLInputElement) => field.validationMessage);
    assert.equal(await problem(), "The file is larger than 6 MB. Choose a smaller one.");
    await page.locator("#image .error").getByText("The file is larger than 6 MB.").waitFor(SOON);
    assert.equal(sent, 0);
    await choose(Buffer.from(await imageFile("jpeg", { width: 200, height: 100 })));
    await formIn(page).locator("[part=image]").waitFor(SOON);
    assert.equal(await page.locator("#image .error").getByText("larger").count(), 0);
  },
);

adminTest(
  "Undo and Redo that are pressed quickly one after the other lose nothing: an image, its description, texts and fields",
  FORM,
  async ({ page }) => {
    const fields = page.getByRole("navigation", { name: "Elements" });
    await page.getByLabel("Heading", { exact: true }).fill("Club");
    await saveImage(page, "A garden", { width: 40, height: 30 });
    await openElement(page, "Add a field");
    for (const title of ["First name", "City"]) {
      await page.getByRole("button", { name: `Add ${title === "City" ? "Text" : title}` }).click();
      if (title === "City") await page.locator("[data-panel=fields]").getByLabel("Label").last().fill(title);
      await fields.getByText(title).waitFor(SOON);
      await savedDraft(page);
    }
    for (const [key, name] of [["z", "Undo"], ["y", "Redo"]]) {
      for (let press = 0; press < 12; press++) await page.keyboard.press(`ControlOrMeta+${key}`);
      await page.locator(`button:is([disabled], [aria-disabled])`).getByText(name!).waitFor(SOON);
      await savedDraft(page);
    }
    assert.equal(await page.getByLabel("Heading", { exact: true }).inputValue(), "Club");
    await fields.getByText("City").waitFor(SOON);
    await fields.getByText("First name").waitFor(SOON);
    await showsImage(page, "A garden");
  },
);

adminTest(
  "Undo that can't reach cfbe changes nothing, and can be pressed again: of an image, and of a field",
  FORM,
  async ({ page, expectError }) => {
    expectError(/ERR_FAILED/);
    const undo = page.getByRole("button", { name: "Undo" });
    const image = formIn(page).locator("[part=image]");
    const field = formIn(page).getByLabel("First name");
    await saveImage(page, "", { width: 40, height: 30 });
    await openElement(page, "Add a field");
    await page.getByRole("button", { name: "Add First name" }).click();
    for (const element of [field, image]) {
      await element.waitFor(SOON);
      await savedDraft(page);
      await page.route("**/admin/ajax?*", (route) => route.abort(), { times: 1 });
      const failed = page.waitForEvent("requestfailed", {
        predicate: (request) => request.method() === "POST",
        ...SOON,
      });
      await undo.click();
      await failed;
      await page.locator("[data-saved].bad").waitFor(SOON);
      assert.ok(await element.isVisible());
      await undo.click();
      await element.waitFor({ ...SOON, state: "detached" });
    }
    for (const element of [image, field]) {
      await page.getByRole("button", { name: "Redo" }).click();
      await element.waitFor(SOON);
    }
  },
);

adminTest(
  "an image that is described and published while it is still sent is published with its description",
  FORM,
  async ({ page, program }) => {
    const buffer = Buffer.from(await imageFile("jpeg", { width: 200, height: 100 }));
    const sent = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await page.route("**/admin/upload?*", async (route) => {
      sent.resolve();
      await held.promise;
      await route.continue();
    }, { times: 1 });
    await openElement(page, "Image");
    await page.getByLabel("File").setInputFiles({ name: "tea.jpg", mimeType: "image/jpeg", buffer });
    await sent.promise;
    await page.locator("#image").getByLabel("Description").fill("A pot of tea");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    held.resolve();
    await page.locator("[data-status]").getByText("footer published.").waitFor(SOON);
    await showsImage(page, "A pot of tea");
    const [form] = await program.setting<{ imageAlt?: string; design?: { image?: { alt: string } } }[]>(
      "forms.forms",
    );
    assert.equal(form?.design?.image?.alt ?? form?.imageAlt, "A pot of tea", JSON.stringify(form));
  },
);

adminTest(
  "saving an image keeps what was typed before it",
  FORM,
  async ({ page }) => {
    const heading = page.getByLabel("Heading", { exact: true });
    await heading.fill("Typed before the image");
    await openElement(page, "Image");
    await page.getByLabel("File").setInputFiles({
      name: "tea.jpg",
      mimeType: "image/jpeg",
      buffer: Buffer.from(await imageFile("jpeg", { width: 200, height: 100 })),
    });
    await page.getByLabel("Description").fill("A pot of tea");
    await page.getByLabel("Description").blur();
    await page.locator("#main").getByText(/image/i).first().waitFor(SOON);
    await openElement(page, "Heading");
    assert.equal(await heading.inputValue(), "Typed before the image");
    await page.reload();
    assert.equal(await heading.inputValue(), "Typed before the image");
  },
);

adminTest(
  "an image is shown as soon as it is chosen, what is typed meanwhile is saved, and it is published once it is described",
  FORM,
  async ({ page, program }) => {
    const buffer = Buffer.from(await imageFile("jpeg", { width: 200, height: 100 }));
    const card = page.locator("#image");
    const description = card.getByLabel("Description");
    const publish = page.getByRole("button", { name: "Publish", exact: true });
    await openElement(page, "Image");
    await card.locator("input[type=file]").setInputFiles({ name: "tea.jpg", mimeType: "image/jpeg", buffer });
    await formIn(page).locator("img").waitFor(SOON);
    assert.ok(await description.evaluate((input) => input === document.activeElement));
    await card.getByText("Describe the image before you publish it").waitFor(SOON);
    await publish.click();
    await page.getByText("Nothing was published, because the image has no description yet").waitFor(SOON);

    const typed = Promise.withResolvers<void>();
    await page.route("**/admin/upload?*", (route) => typed.promise.then(() => route.continue()));
    await card.getByLabel("Place", { exact: true }).selectOption("left");
    await description.pressSequentially("A pot of tea");
    await page.keyboard.press("Tab");
    typed.resolve();
    await showsImage(page, "A pot of tea");

    await description.fill("A cup of tea");
    await publish.click();
    await page.locator("[data-status]").getByText("footer published.").waitFor(SOON);
    const [form] = await program.setting<{ design?: { image?: { alt: string } } }[]>("forms.forms");
    assert.equal(form?.design?.image?.alt, "A cup of tea");
  },
);

adminTest(
  "a press of Publish while an image is saved publishes nothing if the image is refused",
  FORM,
  async ({ page, program }) => {
    await page.getByLabel("Heading", { exact: true }).fill("Not yet");
    await savedDraft(page);
    await openElement(page, "Image");
    const buffer = Buffer.from("no image");
    const pressed = Promise.withResolvers<void>();
    await page.route("**/admin/upload?*", (route) => pressed.promise.then(() => route.continue()));
    await page.locator("#image input[type=file]").setInputFiles({
      name: "a.jpg",
      mimeType: "image/jpeg",
      buffer,
    });
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    pressed.resolve();
    await page.locator("[data-saved]").getByText("Not published, because the change before").waitFor(SOON);
    await page.locator("#image").getByText("not a JPEG, PNG or WebP image").waitFor(SOON);
    const [form] = await program.setting<{ heading?: string }[]>("forms.forms");
    assert.notEqual(form?.heading, "Not yet");
  },
);
