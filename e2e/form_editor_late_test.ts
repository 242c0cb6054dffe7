/** The editor of a form while the server's answers are late. */
import assert from "node:assert/strict";
import type { Request } from "playwright-core";
import { adminTest, SOON, SOON_MS } from "./admin_test_case.ts";
import { formIn, isFocused, openElement, savedDraft } from "./form_editor.ts";
import { hold } from "./held_requests.ts";
import { waitUntil } from "./program.ts";

const FORM = "/form-settings?form=footer";
const PAGE = "**/admin/form-settings?*";
/** What a form of the editor is sent to. */
const ACTION = "**/admin/ajax?*";

const readsPage = (request: Request) => request.method() === "GET" && request.resourceType() === "fetch";

adminTest(
  "the list of elements says what a change leads to while one of its links has the focus, which stays there",
  FORM,
  async ({ page }) => {
    const element = page.locator("[data-place=name] a");
    await openElement(page, "Name");
    await page.locator("#edit-form-fields-nameField").selectOption("optional");
    await element.getByText("off").waitFor({ state: "hidden", ...SOON });
    await element.focus();
    await page.keyboard.press("ControlOrMeta+z");
    await element.getByText("off").waitFor(SOON);
    assert.ok(await isFocused(element));
  },
);

adminTest(
  "the list of elements says what the last change leads to, even if the answer to the one before arrives after it",
  FORM,
  async ({ page }) => {
    const name = page.locator("#edit-form-fields-nameField");
    const off = page.locator("[data-place=name]").getByText("off");
    await openElement(page, "Name");
    const reads = await hold(page, PAGE, readsPage);
    await name.selectOption("optional");
    await reads.count(1);
    await name.selectOption("hidden");
    await savedDraft(page);
    await reads.count(2);
    const answered = () => page.waitForEvent("requestfinished", { predicate: readsPage, ...SOON });
    for (const index of [1, 0]) await Promise.all([answered(), reads.release(index)]);
    // What follows an answer is done once another one is.
    await page.evaluate(() => fetch("assets/admin.css").then((response) => response.text()));
    assert.ok(await off.isVisible());
  },
);

adminTest(
  "the list of elements follows what is removed from and moved in the list of fields, though no answer says so",
  FORM,
  async ({ page }) => {
    const list = page.locator(".elements [data-place] [data-field]");
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const shows = (...titles: string[]) =>
      waitUntil(`${titles}`, SOON_MS, async () => {
        const shown = await list.allInnerTexts();
        return shown.length === titles.length &&
          titles.every((title, index) => shown[index]!.startsWith(title));
      });
    await openElement(page, "Add a field");
    for (const title of ["First name", "Last name", "Phone"]) {
      await button(`Add ${title}`).click();
      await page.locator("[data-panel=fields]").getByRole("group", { name: title }).first().waitFor(SOON);
    }
    await shows("First name", "Last name", "Phone");
    await savedDraft(page);
    await hold(page, PAGE, readsPage);
    await button("Remove First name").click();
    await shows("Last name", "Phone");
    await button("Move Phone up").click();
    await shows("Phone", "Last name");
  },
);

adminTest(
  "the first interests come after a field that the list of elements does not have yet",
  FORM,
  async ({ page }) => {
    const reads = await hold(page, PAGE, readsPage);
    await openElement(page, "Add a field");
    await page.getByRole("button", { name: "Add Radio buttons" }).click();
    await page.locator("#fields .field-row").waitFor(SOON);
    await savedDraft(page);
    const places = page.locator(".elements [data-place]");
    const placed = () =>
      places.evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset["place"]));
    assert.deepEqual(await placed(), ["email", "name", "interests"]);
    await openElement(page, "Interests");
    await page.getByRole("button", { name: "Add interest" }).click();
    await formIn(page).locator("cfbe-form:not([hidden]) [data-element=interests]").waitFor(SOON);
    reads.end();
    await savedDraft(page);
    await waitUntil("the list has the field", SOON_MS, async () => (await placed()).length === 4);
    assert.equal((await placed()).at(-1), "interests");
  },
);

adminTest(
  "a language that is chosen while a removed field is brought back is shown, and the field is saved",
  FORM,
  async ({ page }) => {
    const list = page.getByRole("navigation", { name: "Elements" });
    await openElement(page, "Add a field");
    await page.getByRole("button", { name: "Add First name" }).click();
    await list.getByText("First name").waitFor(SOON);
    await page.getByRole("button", { name: "Remove First name" }).click();
    await list.getByText("First name").waitFor({ ...SOON, state: "detached" });
    await savedDraft(page);
    const answers = await hold(page, ACTION, () => true);
    await page.getByRole("button", { name: "Undo" }).click();
    await answers.count(1);
    await page.getByRole("button", { name: /^Language:/ }).click();
    const languages = page.getByRole("group", { name: "Language to show and edit" });
    await languages.getByRole("link", { name: "German" }).click();
    // What follows the click is done once another request is.
    await page.evaluate(() => fetch("assets/admin.css").then((response) => response.text()));
    answers.end();
    await list.getByText("First name").waitFor(SOON);
    await page.getByText("You are editing the German texts.").waitFor(SOON);
    await page.reload();
    await list.getByText("First name").waitFor(SOON);
    assert.match(page.url(), /locale=de/);
  },
);

adminTest(
  "the state of a text shows while it has the focus, though an answer about an earlier change arrives",
  FORM,
  async ({ page }) => {
    const sending = page.getByRole("group", { name: "State" }).getByLabel("Sending", { exact: true });
    await openElement(page, "Name");
    const reads = await hold(page, PAGE, readsPage);
    await page.locator("#edit-form-fields-nameField").selectOption("optional");
    await reads.count(1);
    await openElement(page, "Button");
    await page.getByRole("textbox", { name: "Sending", exact: true }).focus();
    await waitUntil("its state is shown", SOON_MS, () => sending.isChecked());
    const list = page.locator("[data-place=name]");
    await reads.release(0);
    await list.getByText("off").waitFor({ state: "hidden", ...SOON });
    assert.ok(await sending.isChecked());
  },
);

adminTest(
  "the list of elements says what a change leads to, though the first answer about it was lost",
  FORM,
  async ({ page, expectError }) => {
    expectError(/ERR_FAILED/);
    let isLost = false;
    await page.route(PAGE, (route) => {
      if (isLost || !readsPage(route.request())) return route.fallback();
      isLost = true;
      return route.abort();
    });
    await openElement(page, "Name");
    await page.locator("#edit-form-fields-nameField").selectOption("optional");
    await page.locator("[data-place=name]").getByText("off").waitFor({ state: "hidden", ...SOON });
    assert.ok(isLost);
  },
);

adminTest(
  "a countdown and the end that follows it late are one step of Undo",
  "/new-form?from=deadline-bar",
  async ({ page }) => {
    const scripts = await hold(page, "**/past_times*.js*", () => true);
    await page.getByRole("button", { name: "Create form" }).click();
    await openElement(page, "Countdown");
    const [countdown, until] = [page.getByLabel("Counts down to"), page.getByLabel("Show until")];
    const first = await countdown.inputValue();
    await scripts.count(1);
    await countdown.fill("2098-12-01T09:00");
    await savedDraft(page);
    scripts.end();
    await waitUntil("the end follows", SOON_MS, async () => await until.inputValue() === "2098-12-01T09:00");
    await page.keyboard.press("ControlOrMeta+z");
    assert.deepEqual([await countdown.inputValue(), await until.inputValue()], [first, first]);
  },
);

adminTest(
  "a save that reaches cfbe after its page was loaded again is no conflict with oneself",
  FORM,
  async ({ page }) => {
    const heading = page.getByLabel("Heading", { exact: true });
    const sent = Promise.withResolvers<void>();
    const loaded = Promise.withResolvers<void>();
    const received = Promise.withResolvers<void>();
    await page.route(ACTION, async (route) => {
      await received.promise;
      await route.fallback();
    });
    await page.route(ACTION, async (route) => {
      sent.resolve();
      await loaded.promise;
      await route.fetch();
      received.resolve();
      await route.abort().catch(() => {});
    }, { times: 1 });
    await heading.fill("Club");
    await sent.promise;
    await page.reload();
    assert.equal(await heading.inputValue(), "Club");
    loaded.resolve();
    await received.promise;
    await savedDraft(page);
    assert.match(await page.locator("[data-saved]").innerText(), /^Saved/);
  },
);

adminTest(
  "a form is published whose last save is answered after the page around it was replaced",
  FORM,
  async ({ page }) => {
    await openElement(page, "Add a field");
    const answers = await hold(page, ACTION, () => true);
    await page.getByRole("button", { name: "Add First name" }).click();
    await answers.count(1);
    await openElement(page, "Heading");
    await page.getByLabel("Heading", { exact: true }).fill("Club");
    await answers.count(2);
    answers.release(0);
    await formIn(page).getByLabel("First name").waitFor(SOON);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    answers.end();
    await page.getByText("footer published.").first().waitFor(SOON);
  },
);
