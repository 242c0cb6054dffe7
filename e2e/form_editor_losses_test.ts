/** What is typed into the editor of a form is not lost, whatever happens meanwhile. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { ADMIN_PASSWORD } from "./admin_pages.ts";
import { DELAYED } from "./admin_preview_held.ts";
import { adminTest, SOON } from "./admin_test_case.ts";
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
const OFFLINE = /ERR_INTERNET_DISCONNECTED|Failed to load resource/;

adminTest(
  "while the connection is lost, changes are kept and said to be not saved, and saved and previewed once it is back",
  FORM,
  async ({ page, expectError }) => {
    expectError(OFFLINE);
    await page.context().setOffline(true);
    await page.getByLabel("Heading", { exact: true }).fill("Typed offline");
    const state = page.locator("[data-saved]");
    await state.getByText("Not saved: cfbe can't be reached").waitFor(SOON);
    await page.getByText(DELAYED).waitFor(SOON);
    const lost = page.waitForEvent("requestfailed", (request) => request.method() === "POST");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await lost;
    await page.context().setOffline(false);
    await savedDraft(page);
    assert.equal(await page.locator(".notice.bad").count(), 0, "nothing is said to be wrong any more");
    await formIn(page).getByRole("form", { name: "Typed offline" }).waitFor(SOON);
    await page.getByText(DELAYED).waitFor({ ...SOON, state: "hidden" });
    await page.reload();
    assert.equal(await page.getByLabel("Heading", { exact: true }).inputValue(), "Typed offline");
  },
);

adminTest(
  "what is typed before the page's scripts have loaded is saved",
  FORM,
  async ({ page }) => {
    const heading = page.getByLabel("Heading", { exact: true });
    await heading.fill("Club");
    await savedDraft(page);
    let release = () => {};
    const held = new Promise<void>((resolve) => release = resolve);
    await page.route(/editor_saves\S*\.js/, async (route) => {
      await held;
      await route.continue();
    });
    await page.reload({ waitUntil: "commit" });
    await heading.fill("Typed early");
    const saves = page.waitForResponse(
      (response) => response.request().postData()?.includes("b%3Adraft=true") ?? false,
      SOON,
    );
    release();
    await (await saves).finished();
    await savedDraft(page);
    await page.reload();
    assert.equal(await heading.inputValue(), "Typed early");
  },
);

/** Types a heading after the session has ended. */
async function typeSignedOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.getByLabel("Heading", { exact: true }).fill("Typed signed out");
  await page.locator("[data-saved]").getByText("your session has ended").waitFor(SOON);
}

/** Signs in on the page that asks for it, which leads back to the form. */
async function signInAgain(page: Page): Promise<void> {
  await page.getByLabel("Password").waitFor(SOON);
  await page.getByLabel("Name").fill("admin");
  await page.getByLabel("Password").fill(ADMIN_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/form-settings?form=footer");
}

adminTest(
  "what is typed after the session has ended is there after signing in again, and is saved then",
  FORM,
  async ({ page }) => {
    await typeSignedOut(page);
    let isAsked = false;
    page.on("dialog", (dialog) => (isAsked = true, void dialog.accept()));
    await page.locator("[data-saved]").getByRole("button", { name: "Sign in" }).click();
    await signInAgain(page);
    assert.ok(!isAsked, "nothing is lost");
    await savedDraft(page);
    assert.equal(await page.getByLabel("Heading", { exact: true }).inputValue(), "Typed signed out");
    await page.reload();
    assert.equal(await page.getByLabel("Heading", { exact: true }).inputValue(), "Typed signed out");
  },
);

adminTest(
  "publishing after the session has ended leads through the sign-in back to the same form, with nothing to choose",
  FORM,
  async ({ page }) => {
    await typeSignedOut(page);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await signInAgain(page);
    await savedDraft(page);
    assert.equal(await page.getByLabel("Heading", { exact: true }).inputValue(), "Typed signed out");
    assert.equal(await page.getByRole("button", { name: "Save them now" }).count(), 0);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("Pages show the change").or(page.getByText("published")).first().waitFor(SOON);
  },
);

/** Adds a condition, whose empty value is an error only after the user was there. */
async function leavesEmpty(page: Page): Promise<void> {
  const state = page.locator("[data-saved]");
  await openStep(page, "Who sees it");
  await page.getByRole("button", { name: "Add group: UTM parameter" }).click();
  await state.getByText("Not saved yet: fill in group 1, UTM parameter, Value").waitFor(SOON);
  assert.equal(await page.locator("[data-saved].bad").count(), 0);
  const row = page.getByRole("group", { name: "UTM parameter", exact: true });
  await row.getByLabel("Value").press("Tab");
  await page.locator("[data-saved].bad").getByText("Value: Must not be empty.").waitFor(SOON);
  await row.getByLabel("Comparison").selectOption("exists");
  assert.equal(await row.getByLabel("Value").isVisible(), false);
  await savedDraft(page);
}

adminTest(
  "a value that is not valid yet is named once the user was there, kept over a reload with the rest, and saved once it is valid",
  FORM,
  async ({ page }) => {
    await page.getByLabel("Heading", { exact: true }).fill("With the rest");
    await savedDraft(page);
    await openElement(page, "After signup");
    await page.getByLabel("Next page").fill("ftp://nowhere");
    await page.locator("[data-saved]").getByText("Not saved: Next page: ").waitFor(SOON);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.locator("[data-saved]").getByText("Not saved: Next page: ").waitFor(SOON);
    await openElement(page, "After signup");
    assert.equal(await page.getByLabel("Next page").inputValue(), "ftp://nowhere");
    await page.getByLabel("Next page").fill("/thanks");
    await savedDraft(page);
    await page.reload();
    await openElement(page, "After signup");
    assert.equal(await page.getByLabel("Next page").inputValue(), "/thanks");
    await leavesEmpty(page);
  },
);

adminTest(
  "what is wrong with a field is shown at the field once a save is refused, and is gone once it is right, also after Publish",
  FORM,
  async ({ page }) => {
    await openElement(page, "After signup");
    const next = page.getByLabel("Next page");
    const error = page.locator(".field", { has: next }).locator(".error");
    const isGone = { ...SOON, state: "detached" } as const;
    const refuse = () => next.fill("ftp://nowhere").then(() => error.waitFor(SOON));
    await refuse();
    assert.equal(await next.getAttribute("aria-invalid"), "true");
    assert.match(await next.getAttribute("aria-describedby") ?? "", / ?[^ ]+-error$/);
    await next.fill("");
    await error.waitFor(isGone);
    await refuse();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const refused = page.getByRole("alert").getByRole("link", { name: "Next page" });
    await refused.waitFor(SOON);
    await next.fill("/thanks");
    await error.waitFor(isGone);
    await refused.waitFor(isGone);
    await page.getByRole("alert").waitFor(isGone);
    assert.equal(await next.getAttribute("aria-invalid"), null);
    await savedDraft(page);
    await refuse();
    await next.fill("/thanks");
    await error.waitFor(isGone);
    assert.doesNotMatch(await page.locator("[data-saved]").innerText(), /Not saved/);
  },
);

for (const choice of ["Keep mine", "Show theirs"]) {
  adminTest(
    `of two windows with one form, the second chooses: ${choice}, and loses neither`,
    FORM,
    async ({ page }) => {
      const other = await page.context().newPage();
      await other.goto(page.url());
      await other.getByLabel("Heading", { exact: true }).fill("Theirs");
      await savedDraft(other);
      await page.getByLabel("Heading", { exact: true }).fill("Mine");
      const state = page.locator("[data-saved]");
      await state.getByText("Not saved: admin saved a draft of this form").waitFor(SOON);
      await page.getByRole("row", { name: "Heading Theirs Mine" }).waitFor(SOON);
      await state.getByRole("button", { name: choice }).click();
      if (choice === "Show theirs") {
        await page.waitForFunction(
          () => document.querySelector<HTMLInputElement>("[name='fields.heading']")?.value === "Theirs",
          undefined,
          SOON,
        );
        await page.getByRole("button", { name: "Undo" }).click();
      }
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>("[name='fields.heading']")?.value === "Mine",
        undefined,
        SOON,
      );
      await savedDraft(page);
      await page.getByRole("heading", { name: "What differs" }).waitFor({ ...SOON, state: "detached" });
      await other.reload();
      assert.equal(await other.getByLabel("Heading", { exact: true }).inputValue(), "Mine");
      await other.close();
    },
  );
}

adminTest(
  "a change that is taken back while it is saved is said to be unsaved until that is saved, too",
  FORM,
  async ({ page }) => {
    const heading = page.getByLabel("Heading", { exact: true });
    await heading.fill("Kept");
    await savedDraft(page);
    const asked = Promise.withResolvers<void>();
    const isTakenBack = Promise.withResolvers<void>();
    await page.route("**/admin/ajax?*", async (route) => {
      asked.resolve();
      await isTakenBack.promise;
      await route.continue();
    });
    await heading.fill("Taken back");
    await asked.promise;
    await page.getByRole("button", { name: "Undo" }).click();
    assert.equal(await heading.inputValue(), "Kept");
    isTakenBack.resolve();
    await savedDraft(page);
    await page.reload();
    assert.equal(await heading.inputValue(), "Kept");
  },
);

for (const isSaved of [false, true]) {
  adminTest(
    `what is typed while a row is being added stays where it is typed, and is saved${
      isSaved ? ", also if it is saved meanwhile" : ""
    }`,
    FORM,
    async ({ page }) => {
      await openStep(page, "Who sees it");
      await page.getByRole("button", { name: "Add group: UTM parameter" }).click();
      const value = page.getByRole("group", { name: "Group 1: all conditions must hold" }).getByLabel(
        "Value",
      );
      await value.fill("sg");
      await savedDraft(page);
      const asked = Promise.withResolvers<void>();
      const isTyped = Promise.withResolvers<void>();
      await page.route("**/admin/**", async (route) => {
        if (route.request().postData()?.includes("&_add=")) {
          asked.resolve();
          await isTyped.promise;
        }
        await route.continue();
      });
      await page.locator("summary").getByText("Add group", { exact: true }).click();
      await page.getByRole("button", { name: "Add group: UTM parameter" }).click();
      await asked.promise;
      const saved = isSaved && page.waitForResponse((response) => {
        const sent = response.request().postData();
        return sent?.includes("draft=true") && sent.includes("sprig") || false;
      });
      await value.press("Home");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.type("pri");
      if (saved) await (await saved).finished();
      isTyped.resolve();
      const added = page.getByRole("group", { name: "Group 2: all conditions must hold" });
      await added.waitFor(SOON);
      await page.keyboard.type("n");
      assert.equal(await value.inputValue(), "spring");
      await added.getByLabel("Value").fill("news");
      await savedDraft(page);
      await page.reload();
      await openStep(page, "Who sees it");
      assert.equal(await value.inputValue(), "spring");
    },
  );
}

adminTest(
  "restoring a version is undone in one step: to the draft before, with its image and its texts in other languages",
  FORM,
  async ({ page, open }) => {
    const heading = page.getByLabel("Heading", { exact: true });
    const publish = page.getByRole("button", { name: "Publish", exact: true });
    await heading.fill("Published");
    await publish.click();
    await page.locator("[data-status]").getByText("footer published.").waitFor(SOON);
    await openElement(page, "Heading");
    await heading.fill("Drafted");
    await saveImage(page, "A pot of tea", { width: 200, height: 100 });
    await chooseLanguage(page, "German");
    await openElement(page, "Heading");
    await heading.fill("Entworfen");
    await savedDraft(page);

    await page.getByRole("link", { name: "History" }).click();
    // Before its script runs, the button works without it, and there is no Undo.
    await page.waitForURL("**/form-history?*");
    await page.locator("main details > summary").first().click();
    await page.getByRole("button", { name: "Restore in place of the draft" }).first().click();
    await page.locator("[data-status]").getByText(/The version of .* was restored/).waitFor(SOON);
    await openElement(page, "Heading");
    assert.equal(await heading.inputValue(), "Published");
    const undo = page.getByRole("button", { name: "Undo" });
    await undo.click();
    await showsImage(page, "A pot of tea");
    await formIn(page).getByRole("form", { name: "Drafted" }).waitFor(SOON);
    await savedDraft(page);
    assert.equal(await undo.getAttribute("aria-disabled"), "true", "it was one step");
    await open(`${FORM}&locale=de`);
    assert.equal(await heading.inputValue(), "Entworfen");
    await open(FORM);
    assert.equal(await heading.inputValue(), "Drafted");
    await showsImage(page, "A pot of tea");
  },
);
