import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { en } from "../../../shared/texts/en.ts";
import { PENDING } from "../testing/backend.ts";
import { browserTest, heard, open, type Site, until } from "../testing/site.ts";

const FORM = '<cfbe-form form="footer"><a href="/form">Subscribe by hand</a></cfbe-form>';
const FULL = {
  nameField: "optional" as const,
  interests: [{ tag: "news", label: "News" }, { tag: "offers", label: "Offers" }],
  consent: "required" as const,
  consentText: "I have read the [privacy policy](https://shop.example/privacy).",
};

const state = (page: Page, name: string): Promise<boolean> =>
  page.evaluate((name) => document.querySelector("cfbe-form")!.matches(`:state(${name})`), name);
const email = (page: Page) => page.getByLabel(en.emailLabel);
const button = (page: Page) => page.locator("[part=button]");
/** The form's own sentence, when there is one to see. */
const message = (page: Page) => page.locator("[part=message]:visible:not(.busy *)");

/** Submits, and lets time pass until the form has an answer. */
async function submit({ page }: Site): Promise<void> {
  await button(page).click();
  await until(page, "an answer", async () => await state(page, "success") || await state(page, "error"));
}

browserTest("a visitor signs up on another origin's page", async () => {
  await using site = await open(FORM, { settings: FULL });
  const { page, backend } = site;
  await email(page).fill(" ada@example.com ");
  await page.getByLabel(/^Name/).fill("Ada");
  await page.getByLabel("Offers").check();
  await page.getByLabel(/privacy policy/).check();
  await submit(site);

  assert.equal(await message(page).textContent(), en.success);
  assert.deepEqual(backend.arrived.map(({ body }) => body), [{
    source: "shortcode",
    email: "ada@example.com",
    cfbe_hp: "",
    name: "Ada",
    interests: ["offers"],
    consent: true,
    cfbe_cfg: "footer.cfg",
    cfbe_token: backend.arrived[0]!.body.cfbe_token,
  }]);
  assert.match(backend.arrived[0]!.body.cfbe_token!, /^\d+\.signature$/);
  assert.equal(backend.arrived[0]!.headers.get("accept-language"), "en");
  assert.deepEqual(site.said, []);
});

browserTest("events tell the page what happens, and never an address", async () => {
  await using site = await open(FORM);
  await email(site.page).fill("ada@example.com");
  await submit(site);
  const detail = { form: "footer", source: "shortcode" };
  assert.deepEqual(await heard(site.page), [
    { type: "cfbe-ready", detail },
    { type: "cfbe-beforesubmit", detail },
    { type: "cfbe-submit", detail },
    { type: "cfbe-success", detail: { ...detail, code: "pending" } },
  ]);
});

browserTest("a page that cancels cfbe-beforesubmit keeps the signup from being sent", async () => {
  await using site = await open(FORM);
  await site.page.evaluate(() => addEventListener("cfbe-beforesubmit", (event) => event.preventDefault()));
  await email(site.page).fill("ada@example.com");
  await button(site.page).click();
  await site.page.clock.runFor(10_000);
  assert.equal(site.backend.arrived.length, 0);
  assert.equal(await state(site.page, "open"), true);
});

browserTest("a submission three seconds too early waits, and shows that it does", async () => {
  await using site = await open(FORM);
  const { page, backend } = site;
  await email(page).fill("ada@example.com");
  await button(page).click();
  await button(page).getByText(en.sending).waitFor({ state: "visible" });
  assert.equal(await state(page, "busy"), true);
  await page.clock.runFor(3000);
  assert.equal(backend.arrived.length, 0);
  await submitEnds(site);
  assert.equal(backend.arrived.length, 1);
});

const submitEnds = ({ page }: Site) => until(page, "success", () => state(page, "success"));

browserTest("by real clocks, the server sees a token that is older than three seconds", async () => {
  await using site = await open(FORM, { live: true });
  await email(site.page).fill("ada@example.com");
  await button(site.page).click();
  await message(site.page).waitFor();
  const [{ at, body }] = site.backend.arrived as [typeof site.backend.arrived[0]];
  const age = at - Number(body.cfbe_token!.split(".")[0]);
  assert.ok(age > 3000 && age < 6000, `${age} ms`);
});

browserTest("a token that grew old in an open tab is replaced before it is sent", async () => {
  await using site = await open(FORM);
  await email(site.page).fill("ada@example.com");
  await site.page.clock.fastForward("03:00:00");
  await submit(site);
  assert.ok(site.backend.tokens.length >= 2);
  assert.equal(
    site.backend.arrived[0]!.body.cfbe_token,
    `${site.backend.tokens.at(-1)}.signature`,
  );
});

browserTest(
  "no code is asked for while a form is far away, nor a token for one not yet seen",
  async () => {
    await using site = await open(`<p id="tall">Tall</p><style>#tall{height:9000px}</style>${FORM}`);
    const { page, backend } = site;
    await page.waitForFunction(() => "cfbe" in globalThis);
    // The settings tell whether there is a popup.
    await until(page, "settings", () => Promise.resolve(backend.asked.length === 2));
    assert.deepEqual(backend.asked, ["/cfbe.js", "/cfbe.json"]);
    await page.evaluate(() => scrollTo(0, 9000 - innerHeight - 300));
    await email(page).waitFor({ state: "attached" });
    assert.equal(backend.tokens.length, 0);
    await email(page).scrollIntoViewIfNeeded();
    await until(page, "a token", () => Promise.resolve(backend.tokens.length === 1));
  },
);

browserTest("offline, the form says so and keeps what was typed; online it goes through", async () => {
  await using site = await open(FORM);
  const { page } = site;
  await email(page).fill("ada@example.com");
  await page.context().setOffline(true);
  await submit(site);
  assert.equal(await message(page).textContent(), en.offline);
  assert.equal(await email(page).inputValue(), "ada@example.com");
  await page.context().setOffline(false);
  await submit(site);
  assert.equal(await message(page).textContent(), en.success);
});

browserTest("an answer that is HTML leaves the form usable", async () => {
  await using site = await open(FORM);
  const { page, backend } = site;
  const headers = { "content-type": "text/html", "access-control-allow-origin": "*" };
  for (const status of [200, 502]) {
    backend.answer = () => new Response("<h1>Welcome to this hotel</h1>", { status, headers });
    await email(page).fill("ada@example.com");
    await submit(site);
    assert.equal(await message(page).textContent(), en.error);
    assert.equal(await email(page).inputValue(), "ada@example.com");
  }
  backend.answer = () => new Response("Slow down", { status: 429, headers });
  await submit(site);
  assert.equal(await message(page).textContent(), en.rateLimited);
  backend.answer = () => PENDING;
  await submit(site);
  assert.equal(await message(page).textContent(), en.success);
});

browserTest("a server that never answers is given up on", async () => {
  await using site = await open(FORM);
  const { page, backend } = site;
  await page.evaluate(() => {
    const real = AbortSignal.timeout;
    AbortSignal.timeout = (ms) => real.call(AbortSignal, ms / 100);
  });
  const headers = { "access-control-allow-origin": "*" };
  backend.answer = () => new Response(new ReadableStream(), { headers });
  await email(page).fill("ada@example.com");
  await submit(site);
  assert.equal(await message(page).textContent(), en.error);
});

browserTest("a wrong field is named, tied to its error, and gets the focus", async () => {
  await using site = await open(FORM, { settings: FULL });
  const { page, backend } = site;
  await page.getByLabel(/privacy policy/).check();
  await email(page).fill("ada@");
  await submit(site);
  await assertTied(page, en.invalidEmail);
  assert.equal(backend.arrived.length, 0);

  const told = "No such mailbox, it seems.";
  backend.answer = () => ({ success: false, code: "invalid", message: en.invalid, fields: { email: told } });
  await email(page).fill("ada@example.com");
  assert.equal(await page.locator("[part=error]").count(), 0, "an error goes when its field is mended");
  await submit(site);
  await assertTied(page, told);
  assert.deepEqual((await heard(page)).at(-1), {
    type: "cfbe-error",
    detail: { form: "footer", source: "shortcode", code: "invalid", fields: ["email"] },
  });
});

/** The e-mail field is marked as wrong, described by a text, and focused. */
async function assertTied(page: Page, text: string): Promise<void> {
  await page.locator("input[name=email]:focus").waitFor();
  assert.equal(await email(page).getAttribute("aria-invalid"), "true");
  const id = await email(page).getAttribute("aria-describedby");
  assert.equal(await page.locator(`[id="${id}"]`).textContent(), text);
}

browserTest("whoever clicks twice signs up once", async () => {
  await using site = await open(FORM);
  await email(site.page).fill("ada@example.com");
  await button(site.page).dblclick();
  await submitEnds(site);
  await site.page.clock.runFor(10_000);
  assert.equal(site.backend.arrived.length, 1);
});

browserTest("the keyboard alone is enough, and after success the focus is on the news", async () => {
  await using site = await open(FORM, { settings: FULL });
  const { page, backend } = site;
  await email(page).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type("ada@example.com");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Ada");
  for (const key of ["Tab", "Space", "Tab", "Tab", "Space", "Tab", "Tab", "Enter"]) {
    await page.keyboard.press(key);
  }
  await submitEnds(site);
  const [{ body }] = backend.arrived as [typeof backend.arrived[0]];
  assert.deepEqual(
    [body.email, body.name, body.interests, body.consent],
    ["ada@example.com", "Ada", ["news"], true],
  );
  const focused = await page.evaluate(() =>
    document.querySelector("cfbe-form")!.shadowRoot!.activeElement!.textContent
  );
  assert.ok(focused!.startsWith(en.success));
});

browserTest("a mistyped domain is noticed, and one click mends it", async () => {
  await using site = await open(FORM);
  const { page } = site;
  await email(page).pressSequentially("ada@gmial.com");
  await page.getByRole("button", { name: "Did you mean ada@gmail.com?" }).click();
  assert.equal(await email(page).inputValue(), "ada@gmail.com");
  await page.locator("[part=hint]").waitFor({ state: "detached" });
  await submit(site);
  const link = page.getByRole("link", { name: "Open Gmail" });
  assert.equal(await link.getAttribute("href"), "https://mail.google.com");
});

browserTest("success-url takes the visitor there", async () => {
  await using site = await open('<cfbe-form success-url="/#thanks"></cfbe-form>');
  await email(site.page).fill("ada@example.com");
  await button(site.page).click();
  await until(site.page, "the other page", () => Promise.resolve(site.page.url().endsWith("/#thanks")));
});

for (const colorScheme of ["light", "dark"] as const) {
  browserTest(`axe finds nothing to object to, ${colorScheme}, from the start to the end`, async () => {
    await using site = await open(`<main><h1>A page</h1>${FORM}</main>`, {
      settings: FULL,
      colorScheme,
      live: true,
    });
    const { page } = site;
    const assertClean = async (when: string) => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      assert.deepEqual(violations.map(({ id, nodes }) => [when, id, nodes.map(({ html }) => html)]), []);
    };
    await email(page).waitFor();
    await assertClean("at rest");
    await button(page).click();
    await page.locator("[part=error]").first().waitFor();
    await assertClean("with errors");
    await email(page).fill("ada@gmail.com");
    await page.getByLabel(/privacy policy/).check();
    await button(page).click();
    await message(page).waitFor();
    await assertClean("after success");
  });
}

browserTest("at 320 px nothing needs sideways scrolling, and everything to press is 44 px high", async () => {
  await using site = await open(FORM, { settings: FULL, viewport: { width: 320, height: 640 } });
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
});

for (const width of [360, 1000]) {
  browserTest(
    `nothing moves at ${width} px from a late script to the success text, if the height is reserved`,
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

browserTest("attributes may change while the form is there", async () => {
  await using site = await open(FORM);
  const { page, backend } = site;
  await email(page).fill("ada@example.com");
  backend.settings = { ...backend.settings!, dir: "rtl", texts: { ...en, emailLabel: "Adresse" } };
  await page.evaluate(() => {
    const form = document.querySelector("cfbe-form")!;
    form.setAttribute("heading", "Hello");
    form.setAttribute("locale", "de");
  });
  assert.equal(await page.getByLabel("Adresse").inputValue(), "ada@example.com");
  assert.equal(await page.locator("[part=heading]").textContent(), "Hello");
  assert.equal(await page.locator("[part=form]").getAttribute("dir"), "rtl");
});

browserTest(
  "a form that the page moves keeps what was typed, and one that it removes leaves nothing behind",
  async () => {
    await using site = await open(FORM, {
      head: `<script>
      globalThis.alive = { listeners: 0, timers: 0 };
      for (const target of [window, document]) {
        const add = target.addEventListener;
        target.addEventListener = function (type, fn, options) {
          if (options?.signal || !/^(cfbe|click)/.test(type)) {
            alive.listeners++;
            options?.signal?.addEventListener("abort", () => alive.listeners--);
          }
          return add.call(target, type, fn, options);
        };
      }
      const { setInterval: start, clearInterval: stop } = window;
      window.setInterval = (...all) => (alive.timers++, start(...all));
      window.clearInterval = (id) => (id !== undefined && alive.timers--, stop(id));
    </script><script async src="SCRIPT"></script>`,
    });
    const { page, backend } = site;
    const alive = () => page.evaluate(() => (globalThis as unknown as { alive: object }).alive);
    await email(page).fill("ada@example.com");
    await until(page, "a token", () => Promise.resolve(backend.tokens.length === 1));
    await until(
      page,
      "its timer",
      async () => JSON.stringify(await alive()) === '{"listeners":2,"timers":1}',
    );
    await page.evaluate(() => document.body.append(document.querySelector("cfbe-form")!));
    assert.equal(await email(page).inputValue(), "ada@example.com");
    await page.evaluate(() => document.querySelector("cfbe-form")!.remove());
    assert.deepEqual(await alive(), { listeners: 0, timers: 0 });
  },
);
