/** The live preview of a form that opens over the page, in a real browser. */
import assert from "node:assert/strict";
import type { FrameLocator, Locator, Page } from "playwright-core";
import { en } from "../shared/texts/en.ts";
import { de } from "../shared/texts/de.ts";
import type { AdminVisit } from "./admin_pages.ts";
import { adminTest, SOON, SOON_MS } from "./admin_test_case.ts";
import { chooseLanguage, openElement, openStep } from "./form_editor.ts";
import { waitUntil } from "./program.ts";

interface Preview {
  visit: AdminVisit;
  page: Page;
  /** The window that the preview shows. */
  shown: FrameLocator;
  choose(name: string): Promise<void>;
}

/** Opens the page of a form, and makes it open by itself, without publishing that. */
async function withOpening(visit: AdminVisit): Promise<Preview> {
  const { page } = visit;
  await openStep(page, "Who sees it");
  await page.getByRole("button", { name: "Open by itself" }).click();
  const region = page.getByRole("region", { name: "Live preview" });
  const shown = region.frameLocator("[title='Preview of the form footer']");
  await shown.locator("aside.slide-in").waitFor(SOON);
  const choose = (name: string) => region.getByRole("radio", { name, exact: true }).check();
  return { visit, page, shown, choose };
}

/** Returns how far the panel is from the edges of the window that the preview shows, in its CSS pixels. */
const distances = (panel: Locator) =>
  panel.evaluate((panel) => {
    const { top, bottom, left, right } = panel.getBoundingClientRect();
    return [top, innerHeight - bottom, left, innerWidth - right].map(Math.round);
  });

/** Counts redraws, and the moments at which the page shows no preview, two of them, or one that is not complete. */
async function countRedraws(page: Page): Promise<() => Promise<{ flashes: number; redraws: number }>> {
  const counting = await page.evaluateHandle(() => {
    const complete = new WeakSet<object>();
    const counts = { flashes: 0, redraws: 0 };
    const frames = () => [...document.querySelectorAll<HTMLIFrameElement>("iframe.preview")];
    frames().forEach((frame) => complete.add(frame.contentWindow!));
    addEventListener("message", ({ source, data }) => {
      // A frame that was replaced before its message arrived is no longer the source of it.
      if (data.preview !== "drawn" || !source) return;
      complete.add(source);
      counts.redraws++;
    });
    const look = () => {
      const [shown, ...more] = frames().filter((frame) => !frame.inert);
      if (!shown || more.length > 0 || !complete.has(shown.contentWindow!)) counts.flashes++;
      requestAnimationFrame(look);
    };
    look();
    return counts;
  });
  return () => counting.jsonValue();
}

/** Waits until a condition holds in the preview, whose frame may be replaced meanwhile. */
const untilShown = (what: string, check: () => Promise<boolean>) =>
  waitUntil(what, SOON_MS, () => check().catch(() => false));

adminTest(
  "the live preview shows a form over the page as what it opens as, redraws it while an admin types, and neither flashes nor takes the focus",
  "/form-settings?form=footer",
  async (visit) => {
    const { page, shown, choose } = await withOpening(visit);
    const kinds = await countRedraws(page);
    await page.getByLabel("Corner of the slide-in").selectOption("start");
    await choose("Desktop");
    await untilShown("the other corner", async () => {
      const [, bottom, left] = await distances(shown.locator("aside.slide-in"));
      return bottom === 16 && left === 16;
    });
    await page.getByLabel("Opens as").selectOption("bar-top");
    await shown.locator("aside.bar-top").waitFor(SOON);
    assert.deepEqual((await distances(shown.locator("aside"))).toSpliced(1, 1), [0, 0, 0]);
    await page.getByLabel("Opens as").selectOption("bar-bottom");
    await shown.locator("aside.bar-bottom").waitFor(SOON);
    assert.deepEqual((await distances(shown.locator("aside"))).slice(1), [0, 0, 0]);
    await page.getByLabel("Opens as").selectOption("popup");
    await shown.locator("dialog:modal").waitFor(SOON);
    const animation = await shown.locator("dialog").evaluate((dialog) =>
      getComputedStyle(dialog).animationName
    );
    assert.equal(animation, "none", "it was open before");
    assert.ok(await page.getByLabel("Corner of the slide-in").isHidden());
    await page.getByLabel("Width of the popup").selectOption("wide");
    await untilShown(
      "a wide popup",
      () => shown.locator("dialog").evaluate((dialog) => dialog.clientWidth === 704),
    );
    const changes = await kinds();
    // The first drawing may be reported after the counting began.
    assert.ok(changes.redraws >= 3);
    assert.equal(changes.flashes, 0);

    await openElement(page, "Heading");
    const heading = page.getByRole("textbox", { name: "Heading", exact: true });
    await heading.fill("");
    await shown.getByRole("heading", { name: en.form.heading }).waitFor({ state: "detached", ...SOON });
    const typing = await countRedraws(page);
    await heading.pressSequentially("A loaf a week", { delay: 80 });
    await shown.getByRole("heading", { name: "A loaf a week" }).waitFor(SOON);
    assert.equal(await heading.inputValue(), "A loaf a week");
    assert.ok(await heading.evaluate((field) => field === document.activeElement));
    // The text is there before the form is drawn again.
    await waitUntil("the form is drawn again", SOON_MS, async () => (await typing()).redraws > 0);
    assert.equal((await typing()).flashes, 0);
  },
);

adminTest(
  "the live preview shows a form over the page in every state, language, color and width, and opens it again after a close",
  "/form-settings?form=footer",
  async (visit) => {
    await visit.program.cfbe("settings", "set", "form.showAlreadySubscribed", "true");
    const { page, shown, choose } = await withOpening(visit);
    const states = [["Errors", ".error"], ["Sending", ".busy"], ["Failed", ".error"]] as const;
    for (const [state, selector] of states) {
      await choose(state);
      await shown.locator(`aside [part=form]${selector}`).waitFor(SOON);
    }
    await choose("Already subscribed");
    await shown.locator("aside").getByText(en.form.alreadySubscribed).waitFor(SOON);
    await choose("Success");
    await shown.locator("aside").getByText(en.form.success).waitFor(SOON);
    await chooseLanguage(page, "German");
    await shown.locator("aside").getByText(de.form.success).waitFor(SOON);
    await choose("Dark");
    await untilShown(
      "dark",
      () =>
        shown.locator("[part=form]").evaluate((form) =>
          getComputedStyle(form).backgroundColor === "rgb(21, 23, 28)"
        ),
    );
    const [, bottom, , right] = await distances(shown.locator("aside"));
    assert.deepEqual([bottom, right], [16, 16]);
    await choose("Phone");
    await untilShown("a sheet at the bottom of a phone", async () => {
      const width = await shown.locator("aside").evaluate(() => innerWidth);
      return width === 360 && `${(await distances(shown.locator("aside"))).slice(1)}` === "0,0,0";
    });

    // Playwright misses what is in a frame that is scaled down.
    await page.setViewportSize({ width: 1280, height: 1300 });
    await untilShown("a larger window", () => shown.locator("aside").evaluate(() => innerHeight > 700));
    await shown.getByRole("button", { name: de.form.close }).click();
    await shown.locator("aside").waitFor({ state: "detached", ...SOON });
    assert.ok(
      await shown.getByRole("button", { name: "Open again" }).evaluate((button) =>
        button === document.activeElement
      ),
    );
    await page.emulateMedia({ reducedMotion: "reduce" });
    await shown.getByRole("button", { name: "Open again" }).click();
    await shown.locator("aside").getByText(de.form.success).waitFor(SOON);
    assert.equal(await shown.locator("aside").evaluate((panel) => panel.getAnimations().length), 0);
    assert.ok(await shown.getByRole("button", { name: "Open again" }).isHidden());
    await shown.getByRole("button", { name: de.form.close }).click();
    await choose("Empty");
    await shown.locator("aside").getByText(de.form.heading).waitFor(SOON);
  },
);

adminTest(
  "beside the rules of when it opens, a popup is shown as on a large screen, not as the sheet of a phone",
  "/popup",
  async ({ page }) => {
    const dialog = page.frameLocator("iframe.preview:not([data-next])").locator("dialog");
    await openStep(page, "Who sees it");
    await dialog.waitFor(SOON);
    await untilShown("a dialog in the middle", async () => {
      const [top, bottom] = await distances(dialog);
      return top! > 16 && Math.abs(top! - bottom!) <= 1;
    });
  },
);

adminTest(
  "a promo bar that was closed in the live preview can be opened again",
  "/form-settings?form=footer",
  async (visit) => {
    const shown = visit.page.frameLocator("[title='Preview of the form footer']");
    await openElement(visit.page, "Layout");
    await visit.page.getByLabel("Layout").selectOption("promo");
    await shown.locator(".promo").waitFor(SOON);
    await shown.getByRole("button", { name: en.form.close }).click();
    await shown.locator(".promo").waitFor({ state: "hidden", ...SOON });
    await shown.getByRole("button", { name: "Open again" }).click();
    await shown.locator(".promo").waitFor(SOON);
  },
);
