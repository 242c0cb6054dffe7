/** The widget in Firefox and in WebKit: what visitors do, with the real clock. */
import assert from "node:assert/strict";
import { startSite } from "../every_kind.ts";
import { waitUntil } from "../program.ts";
import { formOf, KINDS, opensByItself, startShop } from "../shop_with_form.ts";
import { launch } from "../browser.ts";
import { ALL, type AnyPage, type Look, lookOf, PAGE_PARTS, PARTS } from "./looks.ts";
import { OTHER_BROWSERS, type OtherPage } from "./other_browsers.ts";

const SOON_MS = 20_000;
/** The browser and its connections outlive the steps of the sanitizers. */
const NO_SANITIZERS = { sanitizeOps: false, sanitizeResources: false };
/** Ten links from the page's start to its end, three windows further down. */
const LINKS = Array.from(
  { length: 10 },
  (_, i) => `<p style="margin:0 0 15rem"><a href="#${i}">Link ${i}</a></p>`,
).join("");

/** Returns an expression for whether the body of a function holds, which has `all(selector)` and `deepFocus()`. */
const inPage = (body: string) =>
  `(() => { ${ALL} const deepFocus = (root = document) => {
    const { activeElement } = root;
    return activeElement?.shadowRoot?.activeElement ? deepFocus(activeElement.shadowRoot) : activeElement;
  }; ${body} })()`;

const isShown = (selector: string) =>
  inPage(`return all(${JSON.stringify(selector)}).some((element) => element.getClientRects().length > 0)`);

const EMAIL = "input[type=email]";
const SUBMIT = "form button:not([type=button])";

const waitFor = (page: OtherPage, what: string, expression: string) =>
  waitUntil(what, SOON_MS, () => page.evaluate<boolean>(expression));

/** Returns a picture of the window once nothing in it moves, such as a scroll bar that fades out. */
async function stillPicture(page: OtherPage): Promise<string> {
  let [before, picture] = ["", ""];
  await waitUntil("nothing moves", SOON_MS, async () => {
    [before, picture] = [picture, (await page.picture()).toBase64()];
    await new Promise((resolve) => setTimeout(resolve, 500));
    return picture === before;
  });
  return picture;
}

/** Defines `pixelsOf(png)`, which resolves to the colors in a picture, by row: red, green, blue and opacity, 0 to 255. */
const PIXELS_OF = `const pixelsOf = async (png) => {
  const image = new Image();
  image.src = "data:image/png;base64," + png;
  await image.decode();
  const { width, height } = image;
  const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, width, height).data;
};`;

/** Returns the largest difference of a color between two pictures. */
const differenceOf = (page: OtherPage, pictures: [string, string]): Promise<number> =>
  page.evaluate(`(async () => {
    ${PIXELS_OF}
    const [first, second] = [await pixelsOf("${pictures[0]}"), await pixelsOf("${pictures[1]}")];
    return first.reduce((most, value, i) => Math.max(most, Math.abs(value - second[i])), 0);
  })()`);

for (const [name, open] of Object.entries(OTHER_BROWSERS)) {
  Deno.test(
    `${name}: visitors sign up through every kind of form, with mouse and keyboard`,
    NO_SANITIZERS,
    async () => {
      await using page = await open();
      for (const kind of KINDS) {
        await using shop = await startShop(kind);
        await page.goto(shop.url);
        await waitFor(page, `${kind}: the form is shown`, isShown(EMAIL));
        await page.click(EMAIL);
        const email = `${kind}@example.com`;
        await page.type(email);
        // By mouse and by keyboard.
        await (opensByItself(kind) ? page.press("Enter") : page.click(SUBMIT));
        await waitFor(
          page,
          `${kind}: the form says that it worked`,
          inPage(`return all("*").some((element) => element.getClientRects().length > 0 &&
          element.children.length === 0 && element.textContent.includes("check your inbox"))`),
        );
        assert.equal(await formOf(shop.program, email), `my-${kind}`);
      }
    },
  );

  for (const colorScheme of ["light", "dark"] as const) {
    Deno.test(
      `${name}: with an error on a phone, every kind of ${colorScheme} form looks as in Chromium and fits`,
      NO_SANITIZERS,
      async () => {
        const size = { width: 320, height: 600 };
        await using page = await open({ ...size, colorScheme });
        const chromium = await launch();
        try {
          const context = await chromium.newContext({ viewport: size, colorScheme });
          const pages: AnyPage[] = [page, await context.newPage()];
          for (const kind of KINDS.filter((kind) => kind !== "own")) {
            await using shop = await startShop(kind, "<style>:root { color-scheme: light dark }</style>");
            const looks: Look[] = [];
            for (const page of pages) {
              await page.goto(shop.url);
              const isTrue = (what: string, expression: string) =>
                waitUntil(`${kind}: ${what}`, SOON_MS, () => page.evaluate(expression) as Promise<boolean>);
              await isTrue("the form is shown", isShown(EMAIL));
              await page.evaluate(inPage(`all(${JSON.stringify(SUBMIT)})[0].click()`));
              await isTrue("the error is shown", isShown("[part=error]"));
              looks.push(await lookOf(page, PARTS));
            }
            assert.deepEqual(looks[0], looks[1], kind);
            assert.ok(looks[0]!["[part~=error]"]);
            assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320, kind);
            assert.deepEqual(
              await page.evaluate(inPage(`
              return all("[part]").map((part) => part.getBoundingClientRect())
                .filter(({ left, right }) => left < 0 || right > 320)`)),
              [],
              kind,
            );
          }
        } finally {
          await chromium.close();
        }
      },
    );
  }

  for (const colorScheme of ["light", "dark"] as const) {
    Deno.test(
      `${name}: on a phone, the ${colorScheme} pages of forms and cart reminders look as in Chromium, fit and work`,
      NO_SANITIZERS,
      async () => {
        const size = { width: 320, height: 600 };
        await using site = await startSite();
        await using page = await open({ ...size, colorScheme });
        const chromium = await launch();
        try {
          const reference = await chromium.newPage({ viewport: size, colorScheme, javaScriptEnabled: false });
          const hasLoaded = (page: AnyPage, selector: string) =>
            waitUntil(`${selector} is loaded`, SOON_MS, async () =>
              await page.evaluate(
                `document.readyState === "complete" && document.querySelector(${
                  JSON.stringify(selector)
                }) !== null`,
              ).catch(() => false) as boolean); // Rejects while the page is replaced.
          const visit = async (url: string, shown: string, submitted?: string, email?: string) => {
            const looks: Look[] = [];
            for (const each of [page, reference] as AnyPage[]) {
              await each.goto(url);
              await hasLoaded(each, shown);
              if (submitted) {
                if (email) {
                  await each.evaluate(
                    `document.querySelector("[type=email]").value = ${JSON.stringify(email)}`,
                  );
                }
                await each.evaluate(`document.querySelector("button").click()`);
                await hasLoaded(each, submitted);
              }
              looks.push(await lookOf(each, PAGE_PARTS));
            }
            assert.deepEqual(looks[0], looks[1], url);
            assert.equal(await page.evaluate("document.documentElement.scrollWidth"), size.width, url);
          };
          for (const form of ["footer", "rich"]) {
            await visit(`${site.baseUrl}/form/${form}`, "input");
            await visit(`${site.baseUrl}/form/${form}`, "input", "[role=alert]", "ada@localhost");
          }
          await visit(site.cartStop, "button");
          await visit(site.cartStop, "button", "main:not(:has(button))");
          await visit(`${site.baseUrl}/cart-stop/wrong`, "h1");
          await visit(`${site.baseUrl}/cart/gone`, "h1");
        } finally {
          await chromium.close();
        }
      },
    );
  }

  Deno.test(`${name}: an error is announced, and its field has the focus`, NO_SANITIZERS, async () => {
    await using page = await open();
    await using shop = await startShop("inline");
    await page.goto(shop.url);
    await waitFor(page, "the form is shown", isShown(EMAIL));
    await page.click(SUBMIT);
    await waitFor(
      page,
      "the field has the focus and is marked as invalid",
      inPage(`return deepFocus().matches("[type=email][aria-invalid=true]")`),
    );
    await waitFor(
      page,
      "a live region has the error",
      inPage(
        `return all("[role=status]").some((element) => element.textContent.includes("complete email address"))`,
      ),
    );
  });

  Deno.test(`${name}: an empty date differs from one that was entered`, NO_SANITIZERS, async () => {
    await using page = await open();
    const fields = [{ name: "since", kind: "date", label: "Since" }];
    await using shop = await startShop("inline", undefined, { fields });
    await page.goto(shop.url);
    await waitFor(page, "the form is shown", isShown("[type=date]"));
    const empty = await stillPicture(page);
    // Safari shows today where a part is missing.
    await page.evaluate(inPage(`all("[type=date]")[0].valueAsDate = new Date()`));
    // Safari also paints an empty date a little darker than the text.
    const difference = await differenceOf(page, [empty, await stillPicture(page)]);
    assert.ok(difference > 90, `a difference of ${difference}`);
  });

  Deno.test(
    `${name}: after a failed signup, the first wrong field is in view with its label and its error`,
    NO_SANITIZERS,
    async () => {
      const fields = Array.from({ length: 20 }, (_, i) => ({
        name: `text_${i}`,
        kind: "text",
        label: `Text ${i}`,
        required: i === 10,
      }));
      const content = `<p style="position:sticky;top:0;height:4rem;margin:0;background:silver">A shop</p>`;
      await using page = await open();
      await using shop = await startShop("inline", content, { fields });
      await page.goto(shop.url);
      await waitFor(page, "the form is shown", isShown("[name='fields[text_19]']"));
      await page.evaluate(inPage(`all(${JSON.stringify(EMAIL)})[0].value = "ada@example.com"`));
      for (const from of ["below", "above"]) {
        await page.evaluate(inPage(`
          deepFocus().blur();
          const button = all(${JSON.stringify(SUBMIT)})[0];
          ${from === "above" ? "scrollTo(0, 0)" : `button.scrollIntoView()`};
          button.click();`));
        await waitFor(
          page,
          `from ${from}, the field is in view`,
          inPage(`
          const field = deepFocus().closest("[part=field]");
          const error = field?.querySelector("[part=error]");
          return error && field.getBoundingClientRect().top >= 64 &&
            error.getBoundingClientRect().bottom <= innerHeight`),
        );
      }
    },
  );

  Deno.test(
    `${name}: a failed signup in a slide-in does not scroll the page`,
    NO_SANITIZERS,
    async () => {
      await using page = await open();
      await using shop = await startShop("slide-in", LINKS);
      await page.goto(shop.url);
      await waitFor(page, "it opens", isShown(EMAIL));
      await page.click(SUBMIT);
      await waitFor(page, "the error is shown", isShown("[part=error]"));
      await waitFor(page, "the field has the focus", inPage(`return deepFocus().matches("[type=email]")`));
      assert.equal(await page.evaluate("scrollY"), 0);
    },
  );

  Deno.test(
    `${name}: a popup has the focus, and Escape closes it and gives the focus back`,
    NO_SANITIZERS,
    async () => {
      await using page = await open();
      await using shop = await startShop("popup", LINKS);
      await page.goto(shop.url);
      await page.evaluate("document.querySelector('a').focus()");
      await waitFor(page, "the popup opens", isShown("dialog[open]"));
      await waitFor(
        page,
        "the focus is in it",
        inPage(`return !!deepFocus().closest("dialog, cfbe-form, form")`),
      );
      assert.equal(await page.evaluate("getComputedStyle(document.body).overflow"), "hidden");
      await page.press("Escape");
      await waitFor(page, "the popup closes", inPage(`return all("dialog[open]").length === 0`));
      assert.equal(await page.evaluate("document.activeElement.textContent"), "Link 0");
    },
  );

  for (const colorScheme of ["light", "dark"] as const) {
    Deno.test(
      `${name}: behind a popup, the place of a ${colorScheme} page's scroll bar is like the page, which does not shift`,
      NO_SANITIZERS,
      async () => {
        await using page = await open({ width: 900, height: 640, colorScheme, scrollBars: "classic" });
        await using shop = await startShop(
          "popup",
          `<style>:root { color-scheme: light dark }</style><main style="height: 5000px"></main>`,
        );
        await page.goto(shop.url);
        await waitFor(page, "the popup opens", isShown("dialog[open]"));
        const bodyWidth = "document.body.getBoundingClientRect().width";
        const width = await page.evaluate<number>(bodyWidth);
        const picture = await stillPicture(page);
        const [beside, inPlace] = await page.evaluate<number[][]>(`(async () => {
          ${PIXELS_OF}
          const pixels = await pixelsOf("${picture}");
          return [860, 895].map((x) => [...pixels.slice(4 * (100 * 900 + x), 4 * (100 * 900 + x + 1))]);
        })()`);
        // Mixed colors can be rounded otherwise.
        assert.ok(
          beside!.every((value, i) => Math.abs(value - inPlace![i]!) <= 1),
          `${inPlace}, not ${beside}`,
        );
        await page.press("Escape");
        await waitFor(page, "the popup closes", inPage(`return all("dialog[open]").length === 0`));
        assert.ok(width < 900 - 2 * 8, "the scroll bar takes up space");
        assert.equal(await page.evaluate(bodyWidth), width);
      },
    );
  }

  for (const kind of ["slide-in", "bar-top", "bar-bottom"]) {
    Deno.test(
      `${name}: the form of the kind ${kind} never covers what has the focus`,
      NO_SANITIZERS,
      async () => {
        await using page = await open();
        await using shop = await startShop(kind, LINKS);
        await page.goto(shop.url);
        await waitFor(page, "it opens", isShown(EMAIL));
        for (let i = 0; i < 10; i++) {
          await page.press("Tab");
          await waitFor(
            page,
            `link ${i} has the focus and is not covered`,
            inPage(`
            const link = document.activeElement;
            if (link.textContent !== "Link ${i}") return false;
            const { left, right, top, bottom } = link.getBoundingClientRect();
            return [[left + 1, top + 1], [right - 1, bottom - 1]].every(([x, y]) =>
              document.elementFromPoint(x, y) === link)`),
          );
        }
      },
    );
  }
}

Deno.test(
  "WebKit: in an Arabic form, the parts of a date run from left to right",
  NO_SANITIZERS,
  async () => {
    await using page = await OTHER_BROWSERS.WebKit();
    const fields = [{ name: "since", kind: "date", label: "Since" }];
    await using shop = await startShop("inline", undefined, { fields }, "ar");
    await page.goto(shop.url);
    await waitFor(page, "the form is shown", isShown("[dir=rtl] [type=date]"));
    await page.evaluate(inPage(`all("[type=date]")[0].value = "2001-12-31"`));
    const before = await stillPicture(page);
    // The direction of the parts can't be read, but a change of it can be seen.
    await page.evaluate(inPage(`
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("::-webkit-datetime-edit { direction: rtl !important }");
    document.querySelector("cfbe-form").shadowRoot.adoptedStyleSheets.push(sheet);`));
    assert.notEqual(await stillPicture(page), before);
  },
);
