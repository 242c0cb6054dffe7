/** The live preview while responses are late, or arrive in another order. */
import assert from "node:assert/strict";
import { en } from "../shared/texts/en.ts";
import { DELAYED, previewOfPopup, UPDATES } from "./admin_preview_held.ts";
import { adminTest, SOON, SOON_MS } from "./admin_test_case.ts";
import { openElement, savedDraft } from "./form_editor.ts";
import { numbersOf } from "../dev/testing/seeded_random.ts";
import { waitUntil } from "./program.ts";

/** Longer than a change waits for the next one, and shorter than any other timer of the page. */
const TYPING_MS = 200;

adminTest(
  "after a field was added, the preview shows it with what was typed before, even if that was about to be drawn",
  "/popup",
  async ({ page }) => {
    // Holds the timers for typing, until the page says that their time has come.
    await page.addInitScript((most) => {
      const { setTimeout: start } = globalThis;
      const waiting: TimerHandler[] = [];
      const state = globalThis as unknown as { holds?: boolean; runHeld(): void };
      state.runHeld = () => {
        state.holds = false;
        for (const run of waiting.splice(0)) (run as () => void)();
      };
      globalThis.setTimeout = ((run: TimerHandler, ms = 0, ...args: unknown[]) => {
        if (!state.holds || ms === 0 || ms > most) return start(run, ms, ...args);
        waiting.push(run);
        return 0;
      }) as typeof setTimeout;
    }, TYPING_MS);
    await page.reload();
    const preview = await previewOfPopup(page);
    await page.evaluate(() => Object.assign(globalThis, { holds: true }));
    await preview.heading.fill("A loaf a week");
    preview.holds = true;
    await openElement(page, "Add a field");
    await page.locator("#main").evaluate((main) => main.dataset["before"] = "");
    await page.getByRole("button", { name: "Add First name" }).click();
    await page.locator("#main:not([data-before])").waitFor(SOON);
    await preview.waitForHeld(1);
    await page.evaluate(() => (globalThis as unknown as { runHeld(): void }).runHeld());
    preview.holds = false;
    await preview.held[0]!.continue();
    await preview.shows("A loaf a week");
    await preview.shown.getByLabel("First name").waitFor(SOON);
  },
);

adminTest(
  "the preview shows the last change, even if the response to the one before arrives after it",
  "/popup",
  async ({ page }) => {
    const preview = await previewOfPopup(page);
    const { held, waitForHeld, shown } = preview;
    // The success message does not show while it is typed, unlike the heading.
    await preview.region.getByRole("radio", { name: "Success", exact: true }).check();
    await openElement(page, "After signup");
    const message = page.getByRole("textbox", { name: "Success message", exact: true });
    const shows = (text: string) => shown.getByText(text, { exact: true }).waitFor(SOON);
    preview.holds = true;
    await message.fill("A loaf");
    await waitForHeld(1);
    await message.fill("A loaf a week");
    await waitForHeld(2);
    await held[1]!.continue();
    await shows("A loaf a week");
    await held[0]!.continue().catch(() => {});
    await message.fill("A loaf a day");
    await waitForHeld(3);
    await shows("A loaf a week");
    await held[2]!.continue();
    await shows("A loaf a day");
  },
);

adminTest(
  "after a form is published, the controls have what was chosen before the new preview is there",
  "/popup",
  async ({ page }) => {
    const { region, heading } = await previewOfPopup(page);
    const chosen = () => region.getByRole("radio", { name: "Success", exact: true }).isChecked();
    await region.getByRole("radio", { name: "Success", exact: true }).check();
    await page.route(UPDATES, () => {});
    await heading.fill("Tea");
    await page.locator("#main").evaluate((main) => main.dataset["before"] = "");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.locator("#main:not([data-before])").waitFor(SOON);
    assert.ok(await chosen());
  },
);

const MOST_DELAY_MS = 300;
const STEPS = 15;

adminTest(
  "after typing, saving, publishing and choosing in any order while every response is late, the preview shows the last of each",
  "/popup",
  async ({ page }) => {
    const { region, heading, shown } = await previewOfPopup(page);
    const random = numbersOf(1);
    const delay = numbersOf(STEPS);
    const oneOf = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
    await page.route(UPDATES, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, delay() * MOST_DELAY_MS));
      await route.continue().catch(() => {});
    });
    const last = { heading: "", state: "Empty", width: "Fit", scheme: "Light" };
    const choose = (name: string) => region.getByRole("radio", { name, exact: true }).check();
    const steps = [
      () => heading.fill(last.heading = `Heading ${Math.floor(random() * 1e6)}`),
      () => choose(last.state = oneOf(["Empty", "Success"])),
      () => choose(last.width = oneOf(["Phone", "Tablet", "Desktop"])),
      () => choose(last.scheme = oneOf(["Light", "Dark"])),
      async () => {
        await page.locator("#main").evaluate((main) => main.dataset["before"] = "");
        await page.getByRole("button", { name: "Publish" }).click();
        await page.locator("#main:not([data-before])").waitFor(SOON);
      },
      () => savedDraft(page),
    ];
    await steps[0]!();
    for (let step = 0; step < STEPS; step++) await oneOf(steps)();

    await waitUntil(`the last of each: ${JSON.stringify(last)}`, SOON_MS, async () => {
      const form = shown.locator("[part=form]");
      const text = await form.innerText({ timeout: 1000 }).catch(() => "");
      const [width, scheme] = await form.evaluate(
        () => [innerWidth, document.documentElement.style.colorScheme] as const,
        undefined,
        { timeout: 1000 },
      ).catch(() => [0, ""] as const);
      const { button, success } = en.form;
      return text.includes(last.state === "Empty" ? button : success) &&
        (last.state !== "Empty" || text.includes(last.heading)) &&
        (last.width === "Fit" || (width < 400) === (last.width === "Phone")) &&
        scheme === last.scheme.toLowerCase();
    });
    assert.ok(await region.getByText(DELAYED).isHidden());
  },
);
