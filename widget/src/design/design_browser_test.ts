import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Locator } from "playwright-core";
import { LAYOUTS } from "../../../shared/contract.ts";
import { type PublicDesign, publicDesign } from "../../../shared/design/public_design.ts";
import { HEADING_SIZES, IMAGE_PLACES } from "../../../shared/design/tokens.ts";
import { openPage, pressEscape, RULES } from "../testing/popup.ts";
import { CHOICES, EVERY_FIELD } from "../testing/fields.ts";
import { ALL_FIELDS } from "../testing/form.ts";
import { browserTest, open, type Site, until } from "../testing/site.ts";

const IMAGE = { id: `${"i".repeat(22)}-2x1`, alt: "A loaf", place: "top" } as const;
/** A PNG of one pixel. */
const PIXEL = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);
const FOREST = publicDesign({ preset: "forest", image: IMAGE });
const forms = {
  footer: { layout: "inline" as const, cfg: "footer.cfg", design: FOREST },
  plain: { layout: "inline" as const, cfg: "plain.cfg" },
};
const STRICT = {
  "content-security-policy": "default-src 'none'; script-src ORIGIN; connect-src ORIGIN; img-src ORIGIN",
};

const colorOf = (element: Locator) =>
  element.evaluate((element) => getComputedStyle(element).backgroundColor);
const loadsDesign = ({ backend }: Site) => backend.requests.some((path) => path.startsWith("/cfbe/design-"));

browserTest(
  "a form shows its design under a strict policy, and the page's custom properties win over it",
  async () => {
    const image = Promise.withResolvers<void>();
    await using site = await open('<cfbe-form form="footer"></cfbe-form>', {
      settings: { forms },
      headers: STRICT,
      live: true,
      before: (page) =>
        page.route("**/cfbe-image/*", async (route) => {
          await image.promise;
          await route.fulfill({ body: Buffer.from(PIXEL), contentType: "image/png" });
        }),
    });
    const { page } = site;
    const form = page.locator("cfbe-form");
    const box = page.locator("[part=form]");
    const button = page.locator("[part=button]");
    const height = () => form.evaluate((form) => form.getBoundingClientRect().height);
    await page.getByAltText("A loaf").waitFor();
    assert.equal(await colorOf(box), "rgb(238, 245, 238)");
    assert.equal(await colorOf(button), "rgb(31, 107, 69)");
    const before = await height();
    image.resolve();
    await page.waitForFunction(() => {
      const image = document.querySelector("cfbe-form")!.shadowRoot!.querySelector("img")!;
      return image.complete && image.naturalWidth === 1;
    });
    assert.equal(await height(), before);

    await page.emulateMedia({ colorScheme: "dark" });
    assert.equal(await colorOf(box), "rgb(18, 33, 26)");
    // An inherited property, which a rule for the form itself would hide.
    await page.evaluate(() => document.documentElement.style.setProperty("--cfbe-bg", "rgb(1, 2, 3)"));
    assert.equal(await colorOf(box), "rgb(1, 2, 3)");
    await page.evaluate(() => document.documentElement.style.removeProperty("--cfbe-bg"));

    await form.evaluate((form) => form.setAttribute("form", "plain"));
    await page.getByAltText("A loaf").waitFor({ state: "detached" });
    assert.equal(await colorOf(box), "rgb(21, 23, 28)");
    assert.deepEqual(await page.evaluate("violations"), []);
  },
);

browserTest("a page whose forms have no design does not load the code for it", async () => {
  await using site = await open('<cfbe-form form="plain"></cfbe-form>', { settings: { forms }, live: true });
  await site.page.locator("[part=button]").waitFor();
  assert.ok(!loadsDesign(site));
});

browserTest("the dialog of the popup has the design of the form in it", async () => {
  await using site = await openPage("", {}, { settings: { forms } });
  const { page } = site;
  const dialog = page.locator("cfbe-popup dialog");
  const corner = () => dialog.evaluate((dialog) => getComputedStyle(dialog).borderTopLeftRadius);
  await page.waitForFunction("cfbe.open");
  await page.evaluate("cfbe.open('footer')");
  await page.getByAltText("A loaf").waitFor();
  assert.equal(await corner(), "28px");
  assert.equal(await colorOf(page.locator("cfbe-popup [part=close]")), "rgb(238, 245, 238)");
  assert.ok(loadsDesign(site));
});

browserTest(
  "a heading has the size of the design in every layout, and the page's own size wins",
  async () => {
    const sizesOf = async (design: PublicDesign | undefined) => {
      const look = { cfg: "x", ...design && { design } };
      const opens = { ...RULES, kind: "slide-in" as const };
      await using site = await openPage(
        LAYOUTS.map((layout) => `<cfbe-form form="${layout}"></cfbe-form>`).join(""),
        {},
        {
          settings: {
            forms: {
              ...Object.fromEntries(LAYOUTS.map((layout) => [layout, { ...look, layout }])),
              corner: { ...look, layout: "inline", opens },
            },
            opening: ["corner"],
          },
        },
      );
      const { page } = site;
      const sizes: Record<string, number> = {};
      const measure = async (name: string, within: string) => {
        const heading = page.locator(`${within} form [part=heading]`);
        await heading.waitFor({ state: "attached" });
        sizes[name] = await heading.evaluate((heading) => parseFloat(getComputedStyle(heading).fontSize));
      };
      for (const layout of LAYOUTS) await measure(layout, `cfbe-form[form=${layout}]`);
      await page.waitForFunction("cfbe.open");
      await page.evaluate("cfbe.open('inline')");
      await measure("popup", "cfbe-popup dialog");
      await pressEscape(page);
      await page.evaluate("cfbe.open('corner')");
      await measure("slide-in", "cfbe-popup .slide-in");
      await page.addStyleTag({ content: "cfbe-form::part(heading) { font-size: 19px }" });
      await measure("own", "cfbe-form[form=inline]");
      return sizes;
    };
    const usual = await sizesOf(undefined);
    for (const factor of [HEADING_SIZES.s, HEADING_SIZES.l]) {
      const sizes = await sizesOf({ heading: factor });
      for (const where of ["inline", "block", "popup", "slide-in"]) {
        assert.ok(Math.abs(sizes[where]! - factor * usual[where]!) < 0.1, `${where}: ${sizes[where]}`);
      }
      // A bar has no room for another size.
      assert.equal(sizes["promo"], usual["promo"]);
      assert.equal(sizes["own"], 19);
    }
  },
);

/** Left and right edge, and top, of an element. */
type Box = [left: number, right: number, top: number];

browserTest(
  "fields are in two columns where two fit, in the direction of the page, and everything else takes the whole width",
  async () => {
    for (const [locale, dir] of [["en", "ltr"], ["ar", "rtl"]] as const) {
      await using site = await open(
        '<cfbe-form form="inline"></cfbe-form><cfbe-form form="block"></cfbe-form>',
        {
          html: `lang="${locale}" dir="${dir}"`,
          viewport: { width: 1280, height: 900 },
          settings: {
            ...ALL_FIELDS,
            ...CHOICES,
            dir,
            fields: EVERY_FIELD.filter(({ kind }) =>
              ["firstName", "date", "checkbox", "text"].includes(kind)
            ),
            forms: {
              inline: { layout: "inline", cfg: "x", design: { columns: 2 } },
              block: { layout: "block", cfg: "x", design: { columns: 2 } },
            },
          },
        },
      );
      const { page } = site;
      for (const form of ["inline", "block"]) {
        await page.locator(`cfbe-form[form=${form}] [part=button]`).waitFor();
        /** Returns the left and right edges and the top of what is in the form, by the names of the fields. */
        const boxes = () =>
          page.locator(`cfbe-form[form=${form}] form`).evaluate((form) =>
            Object.fromEntries(
              [...form.children].filter((child) => !child.matches(":empty, .offscreen")).map((child) => {
                const { left, right, top } = child.getBoundingClientRect();
                const name = child.querySelector("[name]")?.getAttribute("name") ??
                  child.getAttribute("part") ?? "texts";
                return [name, [left, right, top].map(Math.round) as Box];
              }),
            )
          );
        const wide = await boxes();
        const [start, end] = dir === "ltr" ? [0, 1] as const : [1, 0] as const;
        const { texts, email, name, "fields[firstname]": first, "fields[text]": text } = wide;
        assert.equal(email![2], name![2], `${form} ${dir}: beside each other`);
        assert.equal(email![start], texts![start]);
        assert.equal(name![end], texts![end]);
        assert.ok(dir === "ltr" ? email![1] < name![0] : name![1] < email![0]);
        assert.equal(first![2], text![2]);
        for (const whole of ["interests", "fields[date]", "fields[checkbox]", "consent", "button"]) {
          assert.deepEqual(wide[whole]!.slice(0, 2), texts!.slice(0, 2), `${form} ${dir}: ${whole}`);
        }
        await page.setViewportSize({ width: 420, height: 900 });
        for (const [name, [left, right]] of Object.entries(await boxes())) {
          assert.deepEqual(
            [left, right],
            (await boxes())["texts"]!.slice(0, 2),
            `${form} ${dir}, narrow: ${name}`,
          );
        }
        await page.setViewportSize({ width: 1280, height: 900 });
      }
    }
  },
);

browserTest(
  "an image is on the side of the form that the design says where both fit, and above it elsewhere",
  async () => {
    for (const dir of ["ltr", "rtl"] as const) {
      for (const place of ["left", "right"] as const) {
        const design = { image: { ...IMAGE, place } };
        const look = (layout: "inline" | "block") => ({ layout, cfg: "x", design });
        await using site = await openPage(
          '<cfbe-form form="inline"></cfbe-form><cfbe-form form="block"></cfbe-form>',
          {},
          {
            html: `lang="en" dir="${dir}"`,
            viewport: { width: 1280, height: 900 },
            settings: { dir, forms: { inline: look("inline"), block: look("block") } },
          },
        );
        const { page } = site;
        await page.waitForFunction("cfbe.open");
        await page.evaluate("cfbe.open('inline')");
        const centers = async (within: string) => {
          await page.locator(`${within} [part=image]`).waitFor({ state: "attached" });
          return await page.locator(`${within} [part~=form]`).evaluate((box) =>
            ["[part=image]", "form"].map((selector) => {
              const { left, width, top, height } = box.querySelector(selector)!.getBoundingClientRect();
              return { x: left + width / 2, y: top + height / 2 };
            })
          );
        };
        for (
          const within of ["main cfbe-form[form=inline]", "main cfbe-form[form=block]", "cfbe-popup dialog"]
        ) {
          const [image, form] = await centers(within);
          const isLeft = (place === "left") === (dir === "ltr");
          assert.ok(
            isLeft ? image!.x < form!.x - 100 : image!.x > form!.x + 100,
            `${within}, ${place}, ${dir}`,
          );
        }
        await page.setViewportSize({ width: 560, height: 900 });
        for (const within of ["main cfbe-form[form=inline]", "main cfbe-form[form=block]"]) {
          const [image, form] = await centers(within);
          assert.ok(
            Math.abs(image!.x - form!.x) < 2 && image!.y < form!.y - 100,
            `${within}, ${place}, narrow`,
          );
        }
      }
    }
  },
);

browserTest("a popup has room for two columns in the usual window, whatever its image", async () => {
  for (const place of [undefined, ...IMAGE_PLACES]) {
    const design = { columns: 2, ...place && { image: { ...IMAGE, place } } } as const;
    await using site = await openPage("", {}, {
      viewport: { width: 1000, height: 900 },
      settings: { ...ALL_FIELDS, popup: { cfg: "x", rules: RULES, design } },
    });
    const { page } = site;
    await page.waitForFunction("cfbe.open");
    await page.evaluate("cfbe.open()");
    await page.locator("cfbe-popup dialog [part=button]").waitFor();
    await until(
      page,
      `two columns, ${place}`,
      () =>
        page.locator("cfbe-popup dialog form").evaluate((form) => {
          const [email, name] = ["email", "name"].map((name) => form.querySelector(`[name=${name}]`)!);
          return email!.getBoundingClientRect().top === name!.getBoundingClientRect().top;
        }),
    );
  }
});
