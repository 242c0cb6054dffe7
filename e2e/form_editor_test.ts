/** Making a form in its editor, with the mouse and the keyboard. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { axeFindings, visitAdmin } from "./admin_pages.ts";
import { contrast } from "../shared/design/color.ts";
import { minuteIn } from "../server/settings/schema/utc_offsets.ts";
import { waitUntil } from "./program.ts";
import { adminTest, SOON, SOON_MS } from "./admin_test_case.ts";
import {
  chooseLanguage,
  formIn,
  openElement,
  openStep,
  savedDraft,
  saveImage,
  showsImage,
} from "./form_editor.ts";

const FORM = "/form-settings?form=footer";

const places = (page: Page) =>
  page.locator(".elements [data-place]").evaluateAll((items) =>
    items.map((item) => (item as HTMLElement).dataset["place"])
  );

/** Records what screen readers hear from now on. @returns what waits until a text was announced */
async function listen(page: Page): Promise<(text: string) => Promise<unknown>> {
  const said = await page.evaluateHandle(() => {
    const texts: string[] = [];
    const announcer = document.querySelector("[data-announcer]")!;
    new MutationObserver(() => texts.push(announcer.textContent)).observe(announcer, { childList: true });
    return texts;
  });
  return (text) => waitUntil(text, SOON_MS, async () => (await said.jsonValue()).includes(text));
}

adminTest(
  "a text is typed over the default, shows in the form at once, is saved as a draft, and becomes the default again",
  FORM,
  async ({ page, expectError }) => {
    expectError(/ERR_FAILED/);
    const heading = formIn(page).locator("[part=heading]");
    await heading.getByText("Stay in the loop").waitFor(SOON);
    const input = page.getByLabel("Heading", { exact: true });
    await page.route("**/admin/preview?*", (route) => route.abort());
    await input.fill("Join the Autumn Club");
    await heading.getByText("Join the Autumn Club").waitFor(SOON);
    await page.unroute("**/admin/preview?*");
    await savedDraft(page);
    await page.locator(".form-state").getByText("without the unpublished changes").waitFor(SOON);
    await page.locator(".panel[data-shown]").getByText("languages show this text, too").waitFor(
      SOON,
    );
    await page.reload();
    assert.equal(await input.inputValue(), "Join the Autumn Club");
    await page.getByRole("button", { name: "Use the default (Heading)" }).click();
    await heading.getByText("Stay in the loop").waitFor(SOON);
    await page.getByText("Pages with its snippet show the form.").waitFor(SOON);
  },
);

adminTest(
  "a click in the form selects what was clicked, and its text is typed in place as text",
  FORM,
  async ({ page }) => {
    const form = formIn(page);
    const selected = page.locator(".panel[data-shown] h2");
    await form.locator("[part=button]").click();
    await selected.getByText("Button", { exact: true }).waitFor(SOON);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Join the club");
    await page.keyboard.press("Escape");
    await savedDraft(page);
    assert.equal(await page.getByLabel("Button", { exact: true }).inputValue(), "Join the club");
    await form.locator("[part=heading]").click();
    await selected.getByText("Heading", { exact: true }).waitFor(SOON);
    const marks = await form.locator("[part=heading][data-selected]").evaluate((heading) => {
      const { outlineColor, boxShadow } = getComputedStyle(heading);
      const hexOf = (rgb: string) =>
        rgb.match(/\d+/g)!.slice(0, 3).map((each) => (+each).toString(16).padStart(2, "0"));
      return [outlineColor, boxShadow].map((each) => `#${hexOf(each).join("")}` as const);
    });
    for (const background of ["#ffffff", "#15171c", "#7a7a7a"] as const) {
      const best = Math.max(...marks.map((each) => contrast(each, background)));
      assert.ok(best >= 3, `the mark on ${background}: ${marks}`);
    }
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Tea & <b>cake</b>");
    await page.keyboard.press("Escape");
    await savedDraft(page);
    assert.equal(await page.getByLabel("Heading", { exact: true }).inputValue(), "Tea & <b>cake</b>");
    await form.locator("[part=heading]").getByText("Tea & <b>cake</b>").waitFor(SOON);
    assert.equal(await form.locator("[part=heading] b").count(), 0);
  },
);

adminTest(
  "every change is undone to the start and redone to the end, with fields that were added and moved",
  FORM,
  async ({ page }) => {
    await page.getByLabel("Heading", { exact: true }).fill("Club");
    await openElement(page, "Name");
    await page.locator("#edit-form-fields-nameField").selectOption("required");
    await openElement(page, "Add a field");
    await page.getByRole("button", { name: "Add First name" }).click();
    const firstName = page.locator(".elements").getByRole("link", { name: "First name" });
    await firstName.waitFor(SOON);
    await savedDraft(page);
    const hears = await listen(page);
    await firstName.focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press("Alt+ArrowUp");
    await hears("Moved: First name, 1 of 4");
    assert.deepEqual(await places(page), ["first_name", "email", "name", "interests"]);
    await formIn(page).locator("form [part=field]").first().getByText("First name").waitFor(SOON);

    const undo = page.getByRole("button", { name: "Undo" });
    const redo = page.getByRole("button", { name: "Redo" });
    for (let undone = 0; await undo.isEnabled() && undone < 20; undone++) {
      await undo.click();
      await savedDraft(page);
    }
    assert.equal(
      await undo.evaluate((button) => getComputedStyle(button).opacity),
      "0.55",
      "it looks disabled",
    );
    await page.getByText("Pages with its snippet show the form.").waitFor(SOON);
    assert.deepEqual(await places(page), ["email", "name", "interests"]);
    assert.equal(await page.locator("[name='fields.heading']").count(), 0);
    for (let redone = 0; await redo.isEnabled() && redone < 20; redone++) {
      await redo.click();
      await savedDraft(page);
    }
    await page.waitForFunction(
      () => document.querySelector(".elements [data-place]")?.textContent?.includes("First name"),
      undefined,
      SOON,
    );
    assert.deepEqual(await places(page), ["first_name", "email", "name", "interests"]);
    await openElement(page, "Heading");
    assert.equal(await page.locator("[name='fields.heading']").inputValue(), "Club");
  },
);

adminTest(
  "a field is dragged to another place, and the form asks for it there",
  FORM,
  async ({ page }) => {
    await openElement(page, "Name");
    await page.locator("#edit-form-fields-nameField").selectOption("optional");
    await page.locator("[data-place=name]").getByText("off").waitFor({ state: "hidden", ...SOON });
    const grip = page.locator("[data-place=name] [data-grip]");
    const target = (await page.locator("[data-place=email]").boundingBox())!;
    const from = (await grip.boundingBox())!;
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(target.x + 20, target.y + target.height / 2, { steps: 5 });
    await page.mouse.up();
    assert.deepEqual(await places(page), ["name", "email", "interests"]);
    await formIn(page).locator("form [part=field]").first().getByText("Name").waitFor(SOON);
    await savedDraft(page);
    await page.reload();
    assert.deepEqual(await places(page), ["name", "email", "interests"]);
  },
);

adminTest(
  "by keyboard, an element is selected in the form, its panel gets the focus, axe finds nothing in any step, and only the first lists the elements",
  FORM,
  async ({ page }) => {
    const button = formIn(page).locator("[part=button][data-element]");
    await button.focus();
    await waitUntil("the form has the focus", SOON_MS, () => button.evaluate(() => document.hasFocus()));
    await page.keyboard.press("Enter");
    await page.locator(".panel[data-shown] h2").getByText("Button", { exact: true }).waitFor(SOON);
    await page.waitForFunction(() => document.activeElement?.id === "edit-form-fields-button", undefined, {
      timeout: SOON_MS,
    });
    assert.deepEqual(await axeFindings(page), []);
    for (const step of ["Who sees it", "On your site"] as const) {
      await openStep(page, step);
      assert.deepEqual(await axeFindings(page), [], step);
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        assert.equal(await page.locator(".elements").isVisible(), false, `${step}, ${width} px`);
      }
    }
  },
);

adminTest(
  "uploading, describing, changing and removing an image are steps of undo and redo, between those of the texts",
  FORM,
  async ({ page }) => {
    const card = page.locator("#image");
    const heading = page.locator("[name='fields.heading'], [data-name='fields.heading']");
    await heading.fill("Club");
    await saveImage(page, "A pot of tea", { width: 200, height: 100 });
    await saveImage(page, "A cup of tea");
    await card.getByRole("button", { name: "Remove image" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove image" }).click();
    await showsImage(page, undefined);

    const [undo, redo] = ["Undo", "Redo"].map((name) => page.getByRole("button", { name, exact: true }));
    for (const alt of ["A cup of tea", "A pot of tea", "", undefined]) {
      await undo!.click();
      await showsImage(page, alt);
    }
    assert.equal(await heading.inputValue(), "Club");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "undo");
    await undo!.click();
    await savedDraft(page);
    assert.notEqual(await heading.inputValue(), "Club");
    assert.equal(await undo!.isEnabled(), false);

    await redo!.click();
    await savedDraft(page);
    for (const alt of ["", "A pot of tea", "A cup of tea", undefined]) {
      await redo!.click();
      await showsImage(page, alt);
    }
    assert.equal(await heading.inputValue(), "Club");
  },
);

adminTest(
  "a countdown is set in its panel, runs in the form, and its text afterwards can be translated",
  FORM,
  async ({ page }) => {
    await openElement(page, "Countdown");
    const panel = page.locator(".panel[data-shown]");
    await page.getByLabel("Counts down to").fill("2099-12-01T09:00");
    await page.getByLabel("Text afterwards").fill("Too late.");
    const countdown = formIn(page).locator("[part=countdown]");
    await countdown.getByText(/ days .+ sec$/).waitFor(SOON);
    await savedDraft(page);
    await openElement(page, "Heading");
    await countdown.click();
    await panel.locator("h2").getByText("Countdown", { exact: true }).waitFor(SOON);
    assert.equal(await page.getByLabel("Counts down to").inputValue(), "2099-12-01T09:00");
    assert.deepEqual(await axeFindings(page), []);
    await page.goto(`${page.url().replace(/[?#].*/, "")}?form=footer&locale=de`);
    assert.equal(await page.getByLabel("Text afterwards").getAttribute("placeholder"), "Too late.");
    await page.getByLabel("Counts down to").waitFor({ state: "detached" });
  },
);

Deno.test({
  name: "the end of a countdown in the past is said while it is typed, in the time zone of whoever types it",
  async fn() {
    await using visit = await visitAdmin({ TZ: "Europe/Berlin" }, { timezoneId: "Asia/Tokyo" });
    const { page } = visit;
    await visit.signIn();
    await visit.open(FORM);
    const typed = Promise.withResolvers<void>();
    await page.route("**/past_times*.js", async (route) => {
      await typed.promise;
      await route.continue();
    });
    await openElement(page, "Countdown");
    const note = page.locator(".panel[data-shown]").getByText("This is in the past");
    const end = page.getByLabel("Counts down to");
    await note.waitFor({ ...SOON, state: "hidden" });
    const hears = await listen(page);
    await end.fill("2020-03-29T20:00");
    typed.resolve();
    await note.getByText("It was 30 Mar 2020, 03:00 for you (Asia/Tokyo).").waitFor(SOON);
    assert.match(await end.getAttribute("aria-describedby") ?? "", /countdown-note/);
    await hears(await note.innerText());
    assert.deepEqual(await axeFindings(page), []);
    // Each year on the way to this one is a value, too.
    await end.focus();
    await page.keyboard.type("03292021");
    await note.getByText("It was 30 Mar 2021").waitFor(SOON);
    // Over in Tokyo only: the site's clock counts.
    await end.fill(minuteIn("Europe/Berlin", Date.now() + 60 * 60_000));
    await note.waitFor({ ...SOON, state: "hidden" });
    assert.deepEqual(visit.errors, []);
  },
  // The browser outlives a test.
  sanitizeOps: false,
  sanitizeResources: false,
});

for (const size of [{ width: 1280, height: 900 }, { width: 390, height: 844 }]) {
  adminTest(
    `that a form was added is shown and announced, and moves nothing, ${size.width} px wide`,
    "/new-form?from=empty",
    async ({ page }) => {
      await page.setViewportSize(size);
      await page.getByLabel("Title").fill("Autumn club");
      const hears = await listen(page);
      await page.getByRole("button", { name: "Create form" }).click();
      const notice = page.locator("[data-status]").getByText("Autumn club was added as a draft.");
      await notice.waitFor(SOON);
      await hears("Autumn club was added as a draft.");
      const top = async () => (await page.locator(".canvas").boundingBox())!.y;
      const before = await top();
      await notice.waitFor({ ...SOON, state: "hidden" });
      await page.reload();
      await page.locator("[data-status]").getByText("was added").waitFor({ ...SOON, state: "detached" });
      assert.equal(await top(), before);
    },
  );
}

adminTest(
  "that a draft was saved moves nothing in the bar, on a phone neither",
  FORM,
  async ({ page }) => {
    for (const size of [{ width: 1280, height: 900 }, { width: 390, height: 844 }]) {
      await page.setViewportSize(size);
      const places = async () => [
        await page.getByRole("button", { name: "Undo" }).boundingBox(),
        await page.getByRole("button", { name: "Publish", exact: true }).boundingBox(),
      ];
      const before = await places();
      await page.getByLabel("Heading", { exact: true }).fill(`Club ${size.width}`);
      await page.locator("[data-saved]").getByText(/^Saved \d\d:\d\d$/).waitFor(SOON);
      await page.evaluate(() => scrollTo(0, 0));
      assert.deepEqual(await places(), before);
    }
  },
);

adminTest(
  "a form in two steps shows the step with the element that is selected, also after a change of it",
  FORM,
  async ({ page }) => {
    const email = formIn(page).getByLabel("Email address");
    const name = formIn(page).getByLabel(/^Name/);
    await openElement(page, "Name");
    await page.locator("#edit-form-fields-nameField").selectOption("optional");
    await openElement(page, "Layout");
    await page.locator("#edit-form-fields-steps").selectOption({ label: "Two: first the email address" });
    await formIn(page).getByRole("button", { name: "Continue" }).waitFor(SOON);
    assert.equal(await name.isVisible(), false);

    await openElement(page, "Name");
    await name.waitFor(SOON);
    assert.equal(await email.isVisible(), false);
    await page.locator("#edit-form-fields-nameField").selectOption("required");
    await savedDraft(page);
    await formIn(page).getByLabel("Name", { exact: true }).waitFor(SOON);

    await openElement(page, "Email");
    await email.waitFor(SOON);
    assert.equal(await name.isVisible(), false);
    assert.equal(await email.inputValue(), "");

    await page.reload();
    await formIn(page).getByRole("button", { name: "Continue" }).click();
    await page.locator(":focus").and(page.getByLabel("Button of the first step")).waitFor(SOON);
    await page.keyboard.type("Go on");
    await formIn(page).getByRole("button", { name: "Go on" }).waitFor(SOON);
  },
);

adminTest(
  "a language leads to its texts, which are in view, and back to each step of the form",
  FORM,
  async ({ page }) => {
    await chooseLanguage(page, "German");
    const heading = page.getByLabel("Heading", { exact: true });
    await page.waitForURL("**&locale=de");
    await heading.waitFor(SOON);
    const { y, height } = (await heading.boundingBox())!;
    assert.ok(y + height <= page.viewportSize()!.height, `${y}`);
    await page.getByRole("navigation", { name: "Steps" }).getByRole("link", { name: "On your site" }).click();
    await page.waitForURL((url) => !url.search.includes("locale"));
    await page.getByRole("heading", { name: "Status", exact: true }).waitFor(SOON);
  },
);

adminTest(
  "a form in the page is between the lines of a page, and no longer than the canvas if it fits",
  FORM,
  async ({ page }) => {
    const form = formIn(page).locator("cfbe-form:not([hidden])");
    await form.waitFor(SOON);
    const lines = formIn(page).locator(".page");
    await lines.waitFor(SOON);
    const { y, height } = (await form.boundingBox())!;
    assert.ok((await lines.boundingBox())!.y >= y + height);
    assert.equal(
      await lines.evaluate(() => document.documentElement.scrollHeight > innerHeight),
      false,
    );
  },
);
