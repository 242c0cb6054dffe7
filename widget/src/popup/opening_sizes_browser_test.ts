import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { dialog, isOpen, openPage, RULES, waitForPopup } from "../testing/popup.ts";
import { FORM } from "../testing/form.ts";
import { browserTest, open, until } from "../testing/site.ts";
import { OPENING_KINDS, type OpeningKind } from "../../../shared/opening_kinds.ts";
import { ARTICLE, formThatOpens } from "../testing/openings.ts";

const panel = (page: Page) => page.locator("cfbe-popup[open] aside");
const waitForPanel = (page: Page) => until(page, "the form", () => panel(page).isVisible());

/** Returns how far an element is from the left and the right edge of the page, and its width, in CSS pixels. */
const sidesOf = (element: Locator) =>
  element.evaluate((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return [left, document.documentElement.clientWidth - right, width].map(Math.round);
  });

for (const dir of ["ltr", "rtl"] as const) {
  browserTest(
    `a slide-in is in the corner at the end of lines or, if chosen, at their start, and as wide as a phone (${dir})`,
    async () => {
      for (const corner of ["end", "start"] as const) {
        const sale = formThatOpens("slide-in", corner === "start" ? { corner } : {});
        await using site = await open(ARTICLE, {
          html: `lang="en" dir="${dir}"`,
          viewport: { width: 1280, height: 800 },
          settings: { dir, opening: ["sale"], forms: { sale } },
        });
        const { page } = site;
        await waitForPanel(page);
        const [left, right, width] = await sidesOf(panel(page));
        assert.equal(width, 384);
        assert.equal((corner === "end") === (dir === "ltr") ? right : left, 16, corner);
        await page.setViewportSize({ width: 360, height: 640 });
        assert.deepEqual(await sidesOf(panel(page)), [0, 0, 360], corner);
      }
    },
  );
}

for (const kind of OPENING_KINDS) {
  browserTest(`on a page with CSS zoom, all of a long ${kind} is in the window`, async () => {
    const text = "Read this before you sign up. ".repeat(40);
    await using site = await open(ARTICLE, {
      head: `<style>html { zoom: 2 }</style><script async src="SCRIPT"></script>`,
      viewport: { width: 600, height: 600 },
      reducedMotion: "reduce",
      settings: { opening: ["sale"], forms: { sale: { ...formThatOpens(kind), text } } },
    });
    const form = site.page.locator(`cfbe-popup ${kind === "popup" ? "dialog" : "aside"}`);
    await until(site.page, kind, () => form.isVisible());
    const { y, height } = (await form.boundingBox())!;
    assert.ok(y >= 0 && y + height <= 600, `from ${y} to ${y + height}`);
  });
}

browserTest(
  "a page whose 1rem is 10 pixels, as in many themes, shows forms as large as other pages do",
  async () => {
    const sizeOn = async (kind: OpeningKind | "inline", css: string) => {
      await using site = await open(kind === "inline" ? FORM : ARTICLE, {
        head: `<style>${css}</style><script async src="SCRIPT"></script>`,
        viewport: { width: 1280, height: 800 },
        settings: kind === "inline" ? {} : { opening: ["sale"], forms: { sale: formThatOpens(kind) } },
      });
      const form = site.page.locator({ inline: "[part=form]", popup: "dialog" }[kind as string] ?? "aside");
      await until(site.page, kind, () => form.isVisible());
      return await form.evaluate(({ offsetWidth, offsetHeight }: HTMLElement) => [offsetWidth, offsetHeight]);
    };
    for (const kind of ["inline", ...OPENING_KINDS] as const) {
      assert.deepEqual(await sizeOn(kind, "html { font-size: 62.5% }"), await sizeOn(kind, ""), kind);
    }
  },
);

browserTest(
  "a wide popup is wider in a wide window, fits in a narrower one, and is the usual sheet on a phone",
  async () => {
    for (const own of [true, false]) {
      const size = { width: "wide" } as const;
      const settings = own
        ? { opening: ["sale"], forms: { sale: formThatOpens("popup", size) } }
        : { popup: { cfg: "popup.cfg", rules: RULES, ...size } };
      await using site = await open(ARTICLE, { viewport: { width: 1280, height: 800 }, settings });
      const { page } = site;
      await waitForPopup(page);
      const [left, right, width] = await sidesOf(dialog(page));
      assert.equal(width, 704);
      assert.equal(left, right);
      await page.setViewportSize({ width: 700, height: 800 });
      const [start, end, narrower] = await sidesOf(dialog(page));
      assert.ok(start === end && start! >= 16 && narrower! > 600, `${[start, end, narrower]}`);
      await page.setViewportSize({ width: 360, height: 640 });
      assert.deepEqual(await sidesOf(dialog(page)), [0, 0, 360]);
    }
    await using site = await openPage("", {}, { viewport: { width: 1280, height: 800 } });
    await waitForPopup(site.page);
    assert.equal((await sidesOf(dialog(site.page)))[2], 480, "the standard width");
  },
);

browserTest(
  "after a signup, the next step is where the button of a sheet was, without moving it, and “Close” closes it",
  async () => {
    for (const address of ["ada@example.com", "ada@gmail.com"]) {
      const settings = { nameField: "optional" as const };
      await using site = await openPage("", {}, { viewport: { width: 390, height: 844 }, settings });
      const { page } = site;
      await waitForPopup(page);
      const boxOf = async (element: Locator) => (await element.boundingBox())!;
      const own = dialog(page).locator("form [part=button]");
      // What closes it has one name, so that screen readers offer it once.
      const named = dialog(page).getByRole("button", { name: "Close" });
      assert.equal(await named.count(), 1);
      await dialog(page).getByLabel("Email address").fill(address);
      const [sheet, before] = [await boxOf(dialog(page)), await boxOf(own)];
      await own.click();
      const done = dialog(page).locator(".done");
      const close = done.getByRole("button", { name: "Close" });
      await until(page, "the success message", () => close.isVisible());
      assert.equal(await named.count(), 1, `${address}: ${await named.allInnerTexts()}`);
      await page.keyboard.press("Shift+Tab");
      assert.equal(await dialog(page).locator("[part=close]").evaluate((it) => it.matches(":focus")), false);
      assert.deepEqual(await boxOf(dialog(page)), sheet, address);
      const isMail = address.endsWith("gmail.com");
      const next = isMail ? done.getByRole("link", { name: "Open Gmail" }) : close;
      const { y, height } = await boxOf(next);
      assert.ok(Math.abs(y - before.y) <= 1 && Math.abs(height - before.height) <= 1, `${address}: ${y}`);
      await close.click();
      await until(page, "closed", async () => !await isOpen(page));
    }
  },
);

browserTest("a popup for nothing but the email address is as high after a signup as before", async () => {
  await using site = await openPage("", {}, { viewport: { width: 390, height: 844 } });
  const { page } = site;
  await waitForPopup(page);
  await dialog(page).getByLabel("Email address").fill("ada@gmail.com");
  const before = await dialog(page).boundingBox();
  await dialog(page).locator("form [part=button]").click();
  await until(page, "the success message", () => dialog(page).getByText("Thank you!").isVisible());
  assert.deepEqual(await dialog(page).boundingBox(), before);
});

/** Room for the outline by which the editor of a form shows what is selected, in CSS pixels. */
const OUTLINE = 4;

for (const kind of ["popup", "slide-in"] as const) {
  browserTest(
    `${kind}: its close button covers neither the heading nor the text, nor an outline of them`,
    async () => {
      const heading = "A welcome discount for everyone who reads all of our letters";
      await using site = await open(ARTICLE, {
        viewport: { width: 1280, height: 800 },
        settings: {
          opening: ["sale"],
          forms: { sale: { ...formThatOpens(kind), heading, text: `${heading}.` } },
        },
      });
      const { page } = site;
      await until(page, "the form", () => page.locator("cfbe-popup[open] input[type=email]").isVisible());
      for (const [width, height] of [[1280, 800], [390, 844], [320, 568]] as const) {
        await page.setViewportSize({ width, height });
        const rooms = await page.locator("cfbe-popup[open]").evaluate((popup) => {
          const close = popup.shadowRoot!.querySelector("[part=close]")!.getBoundingClientRect();
          const radius = close.width / 2;
          const [x, y] = [close.left + radius, close.top + radius];
          const form = popup.shadowRoot!.querySelector("cfbe-form")!.shadowRoot!;
          return ["heading", "text"].map((part) => {
            const { left, right, top, bottom } = form.querySelector(`[part=${part}]`)!
              .getBoundingClientRect();
            return Math.hypot(Math.max(left - x, x - right, 0), Math.max(top - y, y - bottom, 0)) - radius;
          });
        });
        for (const room of rooms) assert.ok(room >= OUTLINE, `${width} px: ${rooms}`);
      }
    },
  );
}

const CONSENT = {
  nameField: "required",
  consent: "required",
  consentText: "I agree to get the newsletter by email. [Privacy policy](https://shop.example/privacy)",
} as const;
const LONG = { ...CONSENT, text: "Our best offers, once a month. ".repeat(40) };

/** Returns how much of the window an open form covers, where its button ends, and how visible the sign of more is. */
const measure = (page: Page) =>
  page.locator("cfbe-popup[open]").evaluate((popup) => {
    const box = popup.shadowRoot!.querySelector("dialog,aside")!;
    const form = box.querySelector("cfbe-form")!.shadowRoot!;
    const { bottom } = form.querySelector("[part=button]")!.getBoundingClientRect();
    const { height, bottom: end } = box.getBoundingClientRect();
    const hidden = box.scrollHeight - box.clientHeight;
    return {
      share: height / innerHeight,
      button: end - bottom,
      hidden,
      more: +getComputedStyle(box, "::after").opacity,
    };
  });

for (const kind of OPENING_KINDS) {
  browserTest(
    `${kind}: on small screens its button is in view where the form fits in 85% of the height, and else a shadow shows that there is more`,
    async () => {
      const sizes = [[320, 568], [390, 844], [844, 390], [640, 400]] as const;
      for (const [width, height] of sizes) {
        for (const [what, more] of Object.entries({ plain: {}, CONSENT, LONG })) {
          const sale = { ...formThatOpens(kind), ...more };
          await using site = await open(ARTICLE, {
            viewport: { width, height },
            reducedMotion: "reduce",
            settings: { opening: ["sale"], forms: { sale } },
          });
          const { page } = site;
          if (kind !== "popup" && height < 400) {
            await until(page, "its button", () => panel(page).isVisible());
            await panel(page).locator("[part=button]").click();
            // The focus has moved to the first field.
            await panel(page).evaluate((panel) => panel.scrollTo(0, 0));
            await until(page, "its start", async () => {
              const start = await measure(page);
              return !start.hidden || start.more === 1;
            });
          }
          await until(page, "the form", () => page.locator("cfbe-popup[open] input[type=email]").isVisible());
          const { share, button, hidden, more: cue } = await measure(page);
          const where = `${what} at ${width} × ${height}: ${JSON.stringify({ share, button, hidden, cue })}`;
          assert.ok(share <= 0.851, where);
          if (hidden) assert.ok(share > 0.84 && cue === 1, where);
          else assert.ok(button >= 0 && cue === 0, where);
          if (height > 500) assert.equal(hidden > 0, what === "LONG", where);
          await page.locator("cfbe-popup[open]").evaluate((popup) =>
            popup.shadowRoot!.querySelector("dialog,aside")!.scrollTo(0, 99999)
          );
          await until(page, `the end of ${where}`, async () => {
            const end = await measure(page);
            return end.button >= 0 && end.more < 0.01;
          });
        }
      }
    },
  );
}
