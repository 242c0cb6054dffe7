import assert from "node:assert/strict";
import { axe } from "../../../e2e/axe.ts";
import { en } from "../../../shared/texts/en.ts";
import { ALL_FIELDS, button, email, FORM, message, submit } from "../testing/form.ts";
import { browserTest, open } from "../testing/site.ts";

for (const colorScheme of ["light", "dark"] as const) {
  browserTest(
    `axe reports no violations in ${colorScheme} mode: initially, with errors and after success`,
    async () => {
      await using site = await open(`<main><h1>A page</h1>${FORM}</main>`, {
        settings: ALL_FIELDS,
        colorScheme,
        live: true,
      });
      const { page } = site;
      const assertAccessible = async (when: string) => {
        const { violations } = await axe(page).analyze();
        assert.deepEqual(violations.map(({ id, nodes }) => [when, id, nodes.map(({ html }) => html)]), []);
      };
      await email(page).waitFor();
      await assertAccessible("initially");
      await button(page).click();
      await page.locator("[part=error]").first().waitFor();
      await assertAccessible("with errors");
      await email(page).fill("ada@gmail.com");
      await page.getByLabel(/privacy policy/).check();
      await button(page).click();
      await message(page).waitFor();
      await assertAccessible("after success");
    },
  );
}

browserTest(
  "at 320 px there is no horizontal scrolling, and all touch targets are at least 44 px high",
  async () => {
    await using site = await open(FORM, { settings: ALL_FIELDS, viewport: { width: 320, height: 640 } });
    const { page } = site;
    await email(page).pressSequentially("ada@gmial.com");
    await page.locator("[part=hint]").waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    const targets = page.locator(
      "[part=button],[part=hint],[part=input],[part=consent],[part=interests] label",
    );
    for (const target of await targets.all()) {
      const { height } = (await target.boundingBox())!;
      assert.ok(height >= 44, `${await target.textContent()}: ${height}`);
    }
  },
);

for (const width of [360, 1000]) {
  browserTest(
    `at ${width} px there is no layout shift with a late script or on success, if the height is reserved`,
    async () => {
      await using site = await open(
        `<cfbe-form><a href="/form">Subscribe</a></cfbe-form><p>What follows.</p>`,
        {
          viewport: { width, height: 800 },
          head: `<style>
        body { margin: 16px }
        cfbe-form { display: block; min-height: 217px }
        @media (max-width: 600px) { cfbe-form { min-height: 297px } }
      </style><script>
        globalThis.shifted = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifted += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => {
          const script = document.createElement("script");
          script.src = "SCRIPT";
          document.head.append(script);
        }, 3000);
      </script>`,
        },
      );
      const { page } = site;
      await page.clock.runFor(3000);
      await email(page).fill("ada@gmail.com");
      await submit(site);
      await page.getByRole("link", { name: "Open Gmail" }).waitFor();
      await page.evaluate(() => new Promise((done) => new IntersectionObserver(done).observe(document.body)));
      assert.equal(await page.evaluate("shifted"), 0);
    },
  );
}

browserTest(
  "a form shows the language and the form that the page sets before the settings have loaded",
  async () => {
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await using site = await open('<cfbe-form form="footer"></cfbe-form>', {
      settings: { forms: { club: { layout: "inline", cfg: "club.cfg", heading: "The club" } } },
      before: (page) =>
        page.route(/cfbe\.json/, async (route) => {
          asked.resolve();
          await held.promise;
          await route.fallback();
        }),
    });
    const { page, backend } = site;
    await asked.promise;
    await page.locator("cfbe-form").evaluate((form) => {
      form.setAttribute("form", "club");
      form.setAttribute("locale", "de");
    });
    held.resolve();
    await page.getByRole("heading", { name: "The club" }).waitFor();
    assert.match(backend.locales.at(-1)!, /^de,/);
  },
);

browserTest("attributes can change after the form is rendered", async () => {
  await using site = await open(FORM);
  const { page, backend } = site;
  await email(page).fill("ada@example.com");
  backend.settings = { ...backend.settings!, dir: "rtl", texts: { ...en.form, emailLabel: "Adresse" } };
  await page.evaluate(() => {
    const form = document.querySelector("cfbe-form")!;
    form.setAttribute("heading", "Hello");
    form.setAttribute("locale", "de");
  });
  assert.equal(await page.getByLabel("Adresse").inputValue(), "ada@example.com");
  assert.equal(await page.locator("[part=heading]").textContent(), "Hello");
  assert.equal(await page.locator("[part=form]").getAttribute("dir"), "rtl");
});

browserTest("of two languages that a page sets one after the other, the last one stays", async () => {
  const [answered, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using site = await open(FORM, {
    before: (page) =>
      page.route(/cfbe\.json\?locale=de/, async (route) => {
        const response = await route.fetch();
        answered.resolve();
        await late.promise;
        await route.fulfill({ response });
      }),
  });
  const { page, backend } = site;
  await email(page).waitFor();
  const setLocale = (locale: string) =>
    page.locator("cfbe-form").evaluate((form, to) => form.setAttribute("locale", to), locale);
  backend.settings = { ...backend.settings!, texts: { ...en.form, emailLabel: "Adresse" } };
  const arrives = page.waitForResponse(/cfbe\.json\?locale=de/);
  await setLocale("de");
  await answered.promise;
  backend.settings = { ...backend.settings!, texts: { ...en.form, emailLabel: "Correo" } };
  await setLocale("es");
  await page.getByLabel("Correo").waitFor();
  late.resolve();
  await (await arrives).finished();
  // A round trip later, the page has read it.
  await page.evaluate(() => fetch(location.href).then((page) => page.text()));
  assert.equal(await page.getByLabel("Correo").count(), 1);
});

browserTest(
  "in a form from right to left, a text and an address from left to right read from left to right",
  async () => {
    const settings = { ...ALL_FIELDS, locale: "ar", dir: "rtl" as const, consentText: "I agree." };
    await using site = await open(FORM, { settings });
    const { page } = site;
    await email(page).fill("ada@");
    const { stop, letter, address } = await page.locator("[part=consent] span").evaluate((span) => {
      const text = span.firstChild!;
      const leftOf = (at: number) => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      };
      const input = (span.getRootNode() as ShadowRoot).querySelector<HTMLInputElement>("#email")!;
      const { unicodeBidi, textAlign } = getComputedStyle(input);
      return { stop: leftOf("I agree.".length - 1), letter: leftOf(0), address: [unicodeBidi, textAlign] };
    });
    assert.ok(stop > letter, "the full stop is at the end");
    assert.deepEqual(address, ["plaintext", "right"]);
  },
);
