/** Designing a form by keyboard only: after each step the focus is where a person expects it, and what happened is announced. */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { type AdminVisit, visitAdmin } from "./admin_pages.ts";
import type { Settings } from "../server/settings/schema/schema.ts";
import { savedDraft } from "./form_editor.ts";
import { waitUntil } from "./program.ts";

const SOON = { timeout: 15_000 };
/** A page of the admin has fewer stops of the Tab key. */
const MOST_TABS = 200;

/** Keeps every announcement in `said`: the page replaces one by the next. */
const LISTEN = `globalThis.said = [];
addEventListener("DOMContentLoaded", () => {
  const announcer = document.querySelector("[data-announcer]");
  if (announcer) new MutationObserver(() => said.push(announcer.textContent)).observe(announcer, { childList: true });
});`;

/** Somebody who uses only the keyboard. */
function keyboardUser(page: Page) {
  const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);
  const user = {
    /** Presses Tab until an element has the focus. */
    async tabTo(locator: Locator) {
      await locator.first().waitFor(SOON);
      for (let pressed = 0; pressed < MOST_TABS; pressed++) {
        if (await isFocused(locator)) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`Tab does not reach ${locator}`);
    },
    /** Goes to a button or a link with Tab, and presses it. */
    async press(locator: Locator) {
      await user.tabTo(locator);
      await page.keyboard.press("Enter");
    },
    /** Goes to a text field with Tab, and replaces its text. */
    async type(locator: Locator, text: string) {
      await user.tabTo(locator);
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.type(text);
    },
    /** Waits until an element has the focus. */
    async isAt(locator: Locator) {
      await locator.waitFor(SOON);
      await waitUntil(`${locator} has the focus`, SOON.timeout, () => isFocused(locator));
    },
    /** Waits until a text was announced. */
    hears: (text: string) =>
      page.waitForFunction(
        (text) => (globalThis as unknown as { said: string[] }).said.includes(text),
        text,
        SOON,
      ),
  };
  return user;
}

function keyboardTest(
  name: string,
  act: (visit: AdminVisit, user: ReturnType<typeof keyboardUser>) => Promise<void>,
): void {
  Deno.test({
    name,
    async fn() {
      await using visit = await visitAdmin();
      await visit.page.addInitScript(LISTEN);
      await visit.signIn();
      await visit.open("/form-settings?form=footer");
      await act(visit, keyboardUser(visit.page));
      assert.deepEqual(visit.errors, []);
    },
    // The browser outlives a test.
    sanitizeOps: false,
    sanitizeResources: false,
  });
}

keyboardTest(
  "by keyboard only, an admin adds, orders and removes fields, and adds a targeting rule, which is saved as a draft, and publishes it",
  async ({ page, program }, user) => {
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const elements = page.getByRole("navigation", { name: "Elements" });
    const fields = page.getByRole("group", { name: "More fields", exact: true });
    await user.press(elements.getByRole("link", { name: "Add a field" }));
    await user.isAt(fields.getByRole("button").first());
    for (const [kind, label] of [["Text", "City"], ["Number", "Age"], ["Date", "Birthday"]] as const) {
      await user.press(fields.getByRole("button", { name: `Add ${kind}`, exact: true }));
      await user.isAt(fields.getByLabel("Label").last());
      await user.hears(`Added: ${kind} field`);
      await page.keyboard.type(label);
    }
    await page.keyboard.press("Escape");
    await user.isAt(elements.getByRole("link", { name: "Add a field" }));
    await user.press(elements.getByRole("link", { name: "Heading" }));
    await user.isAt(page.getByLabel("Heading", { exact: true }));
    await page.keyboard.press("Escape");
    await user.isAt(elements.getByRole("link", { name: "Heading" }));
    await user.press(elements.getByRole("link", { name: "Add a field" }));
    // The row of a field has its new title after the next change.
    await user.tabTo(button("Move Date field up"));
    await page.keyboard.press("Enter");
    await user.isAt(button("Move Birthday (Date) up"));
    await user.hears("Moved: Birthday (Date), 2 of 3");
    await page.keyboard.press("Enter");
    // The first row cannot move up, so its other button has the focus.
    await user.isAt(button("Move Birthday (Date) down"));
    await user.hears("Moved: Birthday (Date), 1 of 3");
    await user.press(button("Remove Age (Number)"));
    await user.isAt(fields);
    await user.hears("Removed: Age (Number)");

    const city = elements.getByRole("link", { name: "City (Text)" });
    await user.tabTo(city);
    await page.keyboard.press("Alt+ArrowUp");
    await user.hears("Moved: City (Text), 4 of 5");
    await user.isAt(city);

    await user.press(
      page.getByRole("navigation", { name: "Steps" }).getByRole("link", { name: "Who sees it" }),
    );
    await user.press(button("Open by itself"));
    // Before, the groups are those for where a page has the form.
    await button("Show only where a page has it").waitFor(SOON);
    await user.press(page.locator("#audience .opening").getByRole("button", { name: "Add group: Path" }));
    const group = page.getByRole("group", { name: "Group 1: all conditions must hold" });
    await user.isAt(group.getByLabel("Value"));
    await user.type(group.getByLabel("Value"), "/blog");
    await savedDraft(page);
    assert.equal((await program.setting<Settings["forms"]["forms"]>("forms.forms"))[0]?.fields, undefined);

    await user.press(button("Publish"));
    await user.hears("footer published.");
    await user.isAt(button("Publish"));
    const [form] = await program.setting<Settings["forms"]["forms"]>("forms.forms");
    assert.deepEqual(form?.fields?.map(({ label }) => label), ["Birthday", "City"]);
    assert.deepEqual(form.order, ["email", "name", "interests", "city", "birthday"]);
    const [condition] = form?.opens?.targeting[0]?.conditions ?? [];
    assert.equal(condition?.kind === "path" && condition.value, "/blog");
  },
);

keyboardTest(
  "by keyboard only, an admin starts an experiment and keeps a variant",
  async ({ page, program }, user) => {
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await user.press(
      page.getByRole("navigation", { name: "Steps" }).getByRole("link", { name: "On your site" }),
    );
    await user.press(page.getByRole("link", { name: "Create an experiment" }));
    await page.waitForURL("**/experiment?form=footer");
    await user.press(button("Compare variants"));
    await page.waitForURL("**/form-settings?form=footer&variant=b");
    await user.isAt(page.getByRole("main"));
    await user.hears("The experiment was created. Change what its variant shows, then start it.");

    await user.type(page.getByLabel("Variant name"), "Short");
    await user.press(
      page.getByRole("navigation", { name: "Elements" }).getByRole("link", { name: "Heading" }),
    );
    await user.type(page.getByLabel("Heading", { exact: true }), "Tea news");
    await savedDraft(page);

    /** Opens a dialog, in which Cancel has the focus, and confirms it. */
    const confirm = async (opens: string, yes: string) => {
      await user.press(button(opens).first());
      const dialog = page.getByRole("dialog");
      await user.isAt(dialog.getByRole("button", { name: "Cancel" }));
      await page.keyboard.press("Escape");
      await user.isAt(button(opens));
      await page.keyboard.press("Enter");
      await user.press(dialog.getByRole("button", { name: yes }));
    };
    await confirm("Start experiment", "Start experiment");
    await user.hears("The experiment is running. Visitors see the variants within a minute.");
    await user.isAt(page.getByRole("button", { name: /^Stop/ }).first());
    await user.press(page.getByRole("link", { name: "All results" }));
    await page.waitForURL("**/experiment?form=footer");
    await confirm("Keep “Short”", "Keep “Short”");
    await user.hears("All visitors now see “Short”. The results are kept.");
    const [kept] = await program.setting<Settings["forms"]["forms"]>("forms.forms");
    assert.equal(kept?.heading, "Tea news");
  },
);
