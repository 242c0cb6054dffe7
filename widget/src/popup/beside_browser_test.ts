/** Slide-ins and bars beside the page: what they cover, how they are found, and how small they are. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { accessTree } from "../../../e2e/access_tree.ts";
import { en } from "../../../shared/texts/en.ts";
import { formThatOpens, panel, waitForPanel } from "../testing/openings.ts";
import { isOpen, openPage, waitForPopup } from "../testing/popup.ts";
import { spaceText } from "../testing/text_spacing.ts";
import { browserTest, open, type PageOptions, recordedEvents, until } from "../testing/site.ts";

const KINDS = ["bar-top", "bar-bottom", "slide-in"] as const;

/** Links at both ends of lines. */
const LINKS = (name: string) =>
  `<nav style="display:flex;justify-content:space-between;padding:2em"><a href="#">${name} one</a><a href="#">${name} two</a></nav>`;
const TEXT = "<p>Text</p>".repeat(60);

/** Pages with links at their start and end. */
const PAGES: Record<string, string> = {
  "a long page": `${LINKS("Top")}${TEXT}${LINKS("End")}`,
  "a page whose root is as high as the window":
    `<style>* { box-sizing: border-box } html, body { height: 100%; margin: 0 }</style>${
      LINKS("Top")
    }${TEXT}${LINKS("End")}`,
  "a page that does not scroll":
    `<style>body { margin: 0 } main { height: 100vh; display: grid; align-content: space-between }</style><main>${
      LINKS("Top")
    }${LINKS("End")}</main>`,
  "a page with a fixed header and footer":
    `<style>header, footer { position: fixed; inset: 0 0 auto } footer { inset: auto 0 0 }</style><header>${
      LINKS("Top")
    }</header>${TEXT}<footer>${LINKS("End")}</footer>`,
};

const openKind = (kind: typeof KINDS[number], body: string, options: PageOptions = {}) =>
  open(body, {
    reducedMotion: "reduce",
    viewport: { width: 900, height: 600 },
    ...options,
    settings: { opening: ["sale"], forms: { sale: formThatOpens(kind) } },
  });

/** Returns the text of the element that has the focus, and whether it is what one sees in its place. */
const focusInPage = (page: Page): Promise<[string, boolean]> =>
  page.evaluate(() => {
    const focused = document.activeElement!;
    const { left, right, top, bottom } = focused.getBoundingClientRect();
    return [
      focused.textContent!,
      document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === focused,
    ];
  });
/** Lets the page see where the focus is. */
const settle = async (page: Page) => {
  await page.clock.runFor(100);
  await page.evaluate(() => fetch("/"));
};

for (const kind of KINDS) {
  for (const [what, body] of Object.entries(PAGES)) {
    browserTest(`${kind}: on ${what}, what has the focus is seen, and Tab leads on to the form`, async () => {
      await using site = await openKind(kind, body);
      const { page } = site;
      await waitForPanel(page);
      for (const name of ["Top one", "Top two", "End one", "End two"]) {
        await page.keyboard.press("Tab");
        await settle(page);
        assert.deepEqual(await focusInPage(page), [name, true]);
      }
      const scrolled = await page.evaluate("scrollY");
      await page.keyboard.press("Tab");
      await settle(page);
      assert.equal(await page.evaluate("document.activeElement.localName"), "cfbe-popup");
      const { y, height } = (await panel(page).boundingBox())!;
      assert.ok(y >= 0 && y + height <= 600, "it is back");
      assert.equal(await page.evaluate("scrollY"), scrolled);
      assert.deepEqual(site.logs, []);
    });
  }
}

for (const kind of KINDS) {
  browserTest(
    `${kind}: it stays in the window on a page whose body has a transform or a filter`,
    async () => {
      for (const style of ["transform: scale(1)", "filter: grayscale(1)"]) {
        await using site = await openKind(
          kind,
          `<style>body { margin: 0; ${style} }</style>${PAGES["a long page"]}`,
        );
        const { page } = site;
        await waitForPanel(page);
        await page.evaluate(() => scrollTo(0, 300));
        const { y, height } = (await panel(page).boundingBox())!;
        assert.ok(y >= 0 && y + height <= 600, `${style}: from ${y} to ${y + height}`);
      }
    },
  );
}

browserTest(
  "Escape closes a bar that what has the focus would be behind, and the focus stays there",
  async () => {
    await using site = await openKind("bar-top", PAGES["a long page"]!);
    const { page } = site;
    await page.keyboard.press("Tab");
    await waitForPanel(page);
    await settle(page);
    assert.deepEqual(await focusInPage(page), ["Top one", true], "also if the focus was there before");
    await page.keyboard.press("Escape");
    await until(page, "closed", async () => await panel(page).count() === 0);
    assert.deepEqual((await recordedEvents(page)).at(-1)?.detail["reason"], "escape");
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Top one");
  },
);

browserTest("the end of a page can be scrolled above a bar while it is open, and nothing moves", async () => {
  await using site = await openKind("bar-bottom", PAGES["a long page"]!);
  const { page } = site;
  const height = () => page.evaluate<number>("document.documentElement.scrollHeight");
  const before = await height();
  await page.evaluate(() => {
    scrollTo(0, 99999);
    Object.assign(globalThis, { shifts: 0 });
    new PerformanceObserver(() => (globalThis as unknown as { shifts: number }).shifts++)
      .observe({ type: "layout-shift", buffered: true });
  });
  await waitForPanel(page);
  await page.evaluate(() => scrollTo(0, 99999));
  await settle(page);
  const { y } = (await panel(page).boundingBox())!;
  const end = (await page.getByText("End two").boundingBox())!;
  assert.ok(end.y + end.height <= y, `${end.y + end.height} is above ${y}`);
  assert.equal(await page.evaluate("globalThis.shifts"), 0);
  await page.evaluate("cfbe.close()");
  assert.equal(await height(), before);
});

browserTest(
  "what is announced says what has opened and where, and its name changes with what it shows",
  async () => {
    await using site = await openKind("bar-bottom", PAGES["a long page"]!, { html: 'lang="ca"' });
    const { page } = site;
    await waitForPanel(page);
    assert.equal(
      await page.locator("cfbe-popup").getAttribute("lang"),
      "en",
      "on a page in another language",
    );
    const statuses = async () =>
      (await accessTree(page)).filter(({ role }) => role === "StaticText").map(({ name }) => name);
    assert.ok((await statuses()).includes(en.form.opened.replace("{heading}", en.form.heading)));
    const nameOf = async (role: string) => (await accessTree(page)).find((node) => node.role === role)?.name;
    assert.equal(await nameOf("complementary"), en.form.heading);
    await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
    await page.keyboard.press("Enter");
    await until(page, "another name", async () => await nameOf("complementary") === en.form.successHeading);
  },
);

browserTest("the popup is named after what it shows, also after a signup", async () => {
  await using site = await openPage();
  const { page, backend } = site;
  await waitForPopup(page);
  assert.ok(await isOpen(page));
  const nameOf = async () => (await accessTree(page)).find(({ role }) => role === "dialog")?.name;
  assert.equal(await nameOf(), en.form.heading);
  backend.answer = () => ({ success: true, code: "already_active", message: en.form.alreadySubscribed });
  await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
  await page.keyboard.press("Enter");
  await until(page, "another name", async () => await nameOf() === en.form.alreadySubscribed);
});

for (const kind of KINDS) {
  browserTest(
    `${kind}: a window of 320 × 256 with spaced text shows a heading and a button that opens the rest`,
    async () => {
      await using site = await openKind(kind, PAGES["a long page"]!, {
        viewport: { width: 320, height: 256 },
      });
      const { page, backend } = site;
      await waitForPanel(page);
      await spaceText(page);
      const { height } = (await panel(page).boundingBox())!;
      assert.ok(height < 128, `${height} of 256 px`);
      const seen = (await accessTree(page)).slice(
        (await accessTree(page)).findIndex(({ role }) => role === "complementary"),
      );
      assert.deepEqual(
        seen.filter(({ role }) => ["heading", "paragraph", "textbox", "button"].includes(role)).map((
          { name },
        ) => name),
        [en.form.close, en.form.heading, en.form.button],
      );
      await page.getByRole("button", { name: en.form.button }).press("Enter");
      const email = page.getByLabel(en.form.emailLabel);
      assert.ok(await email.evaluate((input) => input.matches(":focus")));
      await email.fill("ada@example.com");
      await page.keyboard.press("Enter");
      await until(page, "a signup", () => Promise.resolve(backend.signups.length > 0));
      assert.deepEqual(site.logs, []);
    },
  );
}

browserTest("a bar that the visitor asked for shows its fields in a low window, too", async () => {
  await using site = await open(`<button data-cfbe-open="sale">Offer</button>`, {
    viewport: { width: 640, height: 320 },
    settings: { opening: ["sale"], forms: { sale: formThatOpens("bar-top") } },
  });
  const { page } = site;
  await page.getByRole("button", { name: "Offer" }).click();
  await waitForPanel(page);
  await until(
    page,
    "the focus",
    () => page.getByLabel(en.form.emailLabel).evaluate((input) => input.matches(":focus")),
  );
});

for (const kind of ["bar-bottom", "slide-in"] as const) {
  browserTest(`${kind}: a page that is printed has neither the form nor space for it`, async () => {
    await using site = await openKind(kind, TEXT);
    const { page } = site;
    const height = () => page.evaluate("document.documentElement.scrollHeight");
    const before = await height();
    await waitForPanel(page);
    await until(page, "space for it", async () => await height() !== before);
    await page.emulateMedia({ media: "print" });
    assert.equal(await panel(page).isVisible(), false);
    assert.equal(await height(), before);
  });
}
