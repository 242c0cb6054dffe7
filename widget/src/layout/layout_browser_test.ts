import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { reservedHeightRule } from "../../../shared/reserved_height.ts";
import { en } from "../../../shared/texts/en.ts";
import { browserTest, open, type PageOptions, recordedEvents, until } from "../testing/site.ts";

const COUPON = "Subscribe and get 10% off your next order.";
const SETTINGS: PageOptions["settings"] = {
  coupon: COUPON,
  forms: {
    hero: { layout: "block", cfg: "hero.cfg", heading: "A heading", text: "A text", button: "Join" },
    bar: { layout: "promo", cfg: "bar.cfg" },
    footer: { layout: "inline", cfg: "footer.cfg" },
  },
};

const ready = (page: Page, count = 1) =>
  until(
    page,
    "ready",
    async () => (await recordedEvents(page)).filter(({ type }) => type === "cfbe-ready").length === count,
  );
const promoBar = (page: Page) => page.locator("cfbe-form[form=bar]");
const close = (page: Page) => promoBar(page).getByRole("button", { name: en.form.close });

for (const [layout, form] of [["block", "hero"], ["promo", "bar"]] as const) {
  browserTest(
    `a form with the ${layout} layout sends the source ${layout}, on phones and desktops`,
    async () => {
      for (const width of [360, 1200]) {
        await using site = await open(`<cfbe-form form="${form}"></cfbe-form>`, {
          settings: SETTINGS,
          viewport: { width, height: 800 },
        });
        const { page, backend } = site;
        await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
        await page.locator("[part=button]").click();
        await until(page, "success", () => page.getByText(en.form.success).isVisible());
        assert.deepEqual(
          [backend.signups[0]!.body.source, backend.signups[0]!.body.cfbe_cfg],
          [layout, `${form}.cfg`],
        );
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        assert.deepEqual(site.logs, []);
      }
    },
  );
}

browserTest(
  "texts are beside the fields if there is room, and above them otherwise",
  async () => {
    for (const [width, beside] of [[1200, true], [360, false]] as const) {
      await using site = await open(`<cfbe-form form="hero"></cfbe-form>`, {
        settings: SETTINGS,
        viewport: { width, height: 800 },
      });
      const [heading, input] = await Promise.all(
        ["heading", "input"].map((part) => site.page.locator(`[part=${part}]`).boundingBox()),
      );
      assert.equal(heading!.x + heading!.width < input!.x, beside, `${width} px`);
    }
  },
);

browserTest(
  "a named form has its own texts, and attributes override them",
  async () => {
    await using site = await open(
      `<cfbe-form form="hero"></cfbe-form><cfbe-form form="hero" heading="" text="Other" button="Go"></cfbe-form>`,
      { settings: SETTINGS },
    );
    const { page } = site;
    await ready(page, 2);
    const textsOf = (index: number) =>
      page.locator("cfbe-form").nth(index).locator("[part=heading],[part=text],[part=button] span:not(.off)")
        .allTextContents();
    assert.deepEqual(await textsOf(0), ["A heading", "A text", "Join"]);
    assert.deepEqual(await textsOf(1), ["Other", "Go"]);
  },
);

browserTest("only promo bars show the coupon offer, and only while coupons are on", async () => {
  const markup =
    `<cfbe-form form="bar"></cfbe-form><cfbe-form form="hero"></cfbe-form><cfbe-form></cfbe-form>`;
  await using site = await open(markup, { settings: SETTINGS });
  await ready(site.page, 3);
  assert.deepEqual(await site.page.locator("[part=coupon]").allTextContents(), [COUPON]);
  assert.equal(await promoBar(site.page).locator("[part=coupon]").count(), 1);

  const { coupon: _, ...without } = SETTINGS!;
  await using other = await open(markup, { settings: without });
  await ready(other.page, 3);
  assert.equal(await other.page.locator("[part=coupon]").count(), 0);
});

browserTest("changing a promo bar's locale translates its coupon offer", async () => {
  await using site = await open(`<cfbe-form form="bar"></cfbe-form>`, { settings: SETTINGS });
  const { page, backend } = site;
  await ready(page);
  backend.settings = { ...backend.settings!, locale: "de", coupon: "10 % sparen." };
  await promoBar(page).evaluate((element) => element.setAttribute("locale", "de"));
  await until(
    page,
    "the translated offer",
    async () => await promoBar(page).locator("[part=coupon]").textContent() === "10 % sparen.",
  );
});

browserTest("a closed promo bar stays closed, and others stay open", async () => {
  await using site = await open(
    `<cfbe-form form="bar"></cfbe-form><cfbe-form source="promo"></cfbe-form><p>What follows.</p>`,
    { settings: SETTINGS },
  );
  const { page } = site;
  await ready(page, 2);
  await close(page).click();
  await promoBar(page).waitFor({ state: "hidden" });
  assert.deepEqual((await recordedEvents(page)).at(-1), {
    type: "cfbe-close",
    detail: { form: "bar", source: "promo", reason: "button" },
  });
  await page.reload();
  await ready(page, 2);
  assert.equal(await promoBar(page).isVisible(), false);
  assert.equal(await page.locator("cfbe-form[source=promo]").isVisible(), true);
});

browserTest("a closed promo bar gives its reserved height back", async () => {
  const rule = reservedHeightRule("cfbe-form", { narrow: 300, medium: 200, wide: 100 });
  await using site = await open(`<cfbe-form form="bar"></cfbe-form>`, {
    settings: SETTINGS,
    head: `<style>${rule}</style><script async src="SCRIPT"></script>`,
  });
  await ready(site.page);
  await close(site.page).click();
  await promoBar(site.page).waitFor({ state: "hidden" });
});

browserTest("a promo bar can be closed while storage is blocked", async () => {
  await using site = await open(`<cfbe-form form="bar"></cfbe-form>`, {
    settings: SETTINGS,
    head: `<script>Object.defineProperty(window, "localStorage", {
      get() { throw new DOMException("no", "SecurityError"); },
    });</script><script async src="SCRIPT"></script>`,
  });
  await ready(site.page);
  await close(site.page).click();
  await promoBar(site.page).waitFor({ state: "hidden" });
  assert.deepEqual(site.logs, []);
});

browserTest("every part of a form can be styled with ::part()", async () => {
  const parts = "form heading text field label input hint interests consent button message error".split(" ");
  const all = [...parts, "strip", "coupon", "close"];
  const rules = all.map((part, i) => `cfbe-form::part(${part}) { outline: ${i + 1}px solid }`).join(" ");
  await using site = await open(`<style>${rules}</style><cfbe-form form="bar"></cfbe-form>`, {
    settings: {
      ...SETTINGS,
      interests: [{ tag: "news", label: "News" }],
      consent: "required",
      consentText: "Yes",
    },
  });
  const { page } = site;
  await page.getByLabel(en.form.emailLabel).fill("ada@gmial.com");
  await page.locator("[part=hint]").waitFor();
  await page.locator("[part=button]").click();
  await page.locator("[part=error]").waitFor();
  for (const [i, part] of all.entries()) {
    const widths = await page.locator(`[part~=${part}]`).evaluateAll((elements) =>
      elements.map((element) => getComputedStyle(element).outlineWidth)
    );
    // The strip is also the form part, and its rule comes later in the style sheet.
    const expected = part === "form" ? all.indexOf("strip") + 1 : i + 1;
    assert.ok(widths.length > 0, part);
    assert.deepEqual(new Set(widths), new Set([`${expected}px`]), part);
  }
});

/** Custom properties, each with a value and the style that it sets. */
const PROPERTIES: [
  property: string,
  value: string,
  where: string,
  style: keyof CSSStyleDeclaration & string,
][] = [
  ["font", "monospace", "form", "fontFamily"],
  ["size", "21px", "form", "fontSize"],
  ["gap", "7px", "form", "paddingTop"],
  ["radius", "3px", "input", "borderTopLeftRadius"],
  ["max-width", "321px", "form", "maxWidth"],
  ["min-height", "456px", "form", "minHeight"],
  ["bg", "rgb(1, 2, 3)", "form", "backgroundColor"],
  ["fg", "rgb(4, 5, 6)", "form", "color"],
  ["muted", "rgb(7, 8, 9)", "text", "color"],
  ["border", "rgb(10, 11, 12)", "input][name=name", "borderTopColor"],
  ["accent", "rgb(13, 14, 15)", "button", "backgroundColor"],
  ["on-accent", "rgb(16, 17, 18)", "button", "color"],
  ["danger", "rgb(19, 20, 21)", "error", "color"],
  ["focus", "rgb(22, 23, 24)", "input", "outlineColor"],
];

browserTest("every custom property changes its style", async () => {
  const page = async (style: string) => {
    const site = await open(`<style>${style}</style><cfbe-form></cfbe-form>`, {
      settings: { nameField: "optional" },
    });
    await site.page.getByLabel(en.form.emailLabel).press("Enter");
    await site.page.locator("[part=error]").waitFor();
    await site.page.locator("input:focus-visible").waitFor();
    return site;
  };
  const styles = (site: Awaited<ReturnType<typeof open>>) =>
    site.page.evaluate((properties) => {
      const root = document.querySelector("cfbe-form")!.shadowRoot!;
      return properties.map(([, , where, style]) =>
        getComputedStyle(root.querySelector(`[part=${where}]`)!)[style]
      );
    }, PROPERTIES);
  await using plain = await page("");
  await using set = await page(
    `cfbe-form { ${PROPERTIES.map(([name, value]) => `--cfbe-${name}: ${value}`).join(";")} }`,
  );
  const before = await styles(plain);
  for (const [i, value] of (await styles(set)).entries()) {
    const [name, expected] = PROPERTIES[i]!;
    assert.notEqual(before[i], value, name);
    assert.equal(value, name === "gap" ? `${7 * 1.75}px` : expected, name);
  }
});

browserTest("--cfbe-z sets a promo bar's z-index", async () => {
  await using site = await open(
    `<style>cfbe-form { --cfbe-z: 7 }</style><cfbe-form form="bar"></cfbe-form>`,
    { settings: SETTINGS },
  );
  await ready(site.page);
  assert.equal(await promoBar(site.page).evaluate((element) => getComputedStyle(element).zIndex), "7");
});
