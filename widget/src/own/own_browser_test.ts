import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { browserTest, formIsReady, open, recordedEvents, type Site, until } from "../testing/site.ts";

const FORM = `<form data-cfbe-form="footer" action="/by-hand" method="post">
  <label>Email <input name="email" type="email" autocomplete="email" required></label>
  <label><input type="checkbox" name="interests" value="news"> News</label>
  <label><input type="checkbox" name="interests" value="offers"> Offers</label>
  <label><input type="checkbox" name="consent"> Yes</label>
  <button>Subscribe</button> <output data-cfbe-message></output>
</form>`;

/** A form without a message element. */
const BARE = '<form data-cfbe-form><input name="email" aria-label="Email"><button>Go</button></form>';

const message = (site: Site) => site.page.locator("[data-cfbe-message]");

async function submit(site: Site, text: string): Promise<void> {
  await site.page.getByRole("button").click();
  await until(site.page, text, async () => await message(site).textContent() === text);
}

/** Submits an email address that the server rejects with a field error; the next submission is accepted. */
async function submitRejected(site: Site): Promise<void> {
  const { page, backend } = site;
  const answer = backend.answer;
  backend.answer = () => ({
    success: false,
    code: "invalid",
    message: en.form.invalid,
    fields: { email: "No such." },
  });
  await page.getByLabel("Email").fill("ada@example.com");
  await submit(site, "No such.");
  backend.answer = answer;
}

browserTest("a form in the page's own markup can sign up, without loading Preact", async () => {
  await using site = await open(FORM);
  const { page, backend } = site;
  await formIsReady(site.page);
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Offers").check();
  await page.getByRole("button").click();
  await until(page, "the busy message", async () => await message(site).textContent() === en.form.sending);
  await until(page, "success", async () => await message(site).textContent() === en.form.success);

  const { cfbe_token, ...body } = backend.signups[0]!.body;
  assert.match(cfbe_token!, /^\d+\.signature$/);
  assert.deepEqual(body, {
    source: "shortcode",
    email: "ada@example.com",
    cfbe_hp: "",
    interests: ["offers"],
    consent: false,
    form: "footer",
    cfbe_cfg: "footer.cfg",
  });
  assert.equal(await page.getByLabel("Email").inputValue(), "");
  assert.ok(!backend.requests.some((path) => path.includes("/form-") && path.endsWith(".js")));
  assert.deepEqual((await recordedEvents(page)).map(({ type }) => type), [
    "cfbe-ready",
    "cfbe-beforesubmit",
    "cfbe-submit",
    "cfbe-success",
  ]);
  assert.deepEqual(site.logs, []);
});

browserTest(
  "the server's field errors are shown, linked to the field, and removed on the next attempt",
  async () => {
    await using site = await open(FORM);
    const { page } = site;
    await formIsReady(site.page);
    await submitRejected(site);
    const email = page.locator("input[name=email]:focus");
    assert.equal(await email.getAttribute("aria-invalid"), "true");
    assert.equal(await email.getAttribute("aria-describedby"), await message(site).getAttribute("id"));
    assert.equal(await page.getByLabel("Email").inputValue(), "ada@example.com");

    await submit(site, en.form.success);
    assert.equal(await page.getByLabel("Email").getAttribute("aria-invalid"), null);
    assert.equal(await page.getByLabel("Email").getAttribute("aria-describedby"), null);
  },
);

browserTest(
  "a missing field that the settings require causes one warning",
  async () => {
    await using site = await open(BARE);
    const { page, backend, logs } = site;
    await formIsReady(site.page);
    const fields = { name: "Your name, please.", consent: "Please agree." };
    backend.answer = () => ({ success: false, code: "invalid", message: en.form.invalid, fields });
    await page.getByLabel("Email").fill("ada@example.com");
    for (let round = 1; round <= 2; round++) {
      await page.getByRole("button").click();
      await until(page, "a signup", () => Promise.resolve(backend.signups.length === round));
      await until(
        page,
        "the field errors",
        async () => await page.getByRole("status").textContent() === Object.values(fields).join(" "),
      );
    }
    const own = () => logs.filter((line) => line.startsWith("[cfbe]"));
    await until(page, "warnings", () => Promise.resolve(own().length >= 2));
    assert.deepEqual(
      own(),
      ["name", "consent"].map((name) =>
        `[cfbe] this form has no field "${name}", which the settings require`
      ),
    );
  },
);

browserTest("field errors are shown even if the code that marks fields cannot be loaded", async () => {
  await using site = await open(FORM, {
    before: (page) => page.route(/\/cfbe\/errors-/, (route) => route.abort()),
  });
  await formIsReady(site.page);
  await submitRejected(site);
  await submit(site, en.form.success);
});

browserTest("code for field errors that arrives after the next signup marks nothing", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await using site = await open(FORM, {
    before: (page) =>
      page.route(/\/cfbe\/errors-/, async (route) => (await released, await route.continue())),
  });
  const { page } = site;
  await formIsReady(page);
  await submitRejected(site);
  await submit(site, en.form.success);
  const arrived = page.waitForResponse(/\/cfbe\/errors-/);
  release();
  await (await arrived).finished();
  // The second import of the part ends after the widget's own.
  await page.evaluate((url) => import(url), (await arrived).url());
  assert.equal(await page.getByLabel("Email").getAttribute("aria-invalid"), null);
  assert.equal(await page.evaluate("document.activeElement.localName"), "button");
});

browserTest("without a message element, a status element is added", async () => {
  await using site = await open(BARE);
  await formIsReady(site.page);
  await site.page.getByLabel("Email").fill("ada@example.com");
  await site.page.getByRole("button").click();
  await until(
    site.page,
    "success",
    async () => await site.page.getByRole("status").textContent() === en.form.success,
  );
  assert.equal(site.backend.signups[0]!.body.cfbe_cfg, "default.cfg");
});

browserTest(
  "the honeypot is hidden and takes no space, even under a content security policy",
  async () => {
    await using site = await open(FORM, {
      headers: { "content-security-policy": "default-src 'none'; script-src ORIGIN; connect-src ORIGIN" },
    });
    await formIsReady(site.page);
    const honeypot = site.page.locator("input[name=cfbe_hp]");
    assert.deepEqual(
      await honeypot.evaluate((input: HTMLInputElement) => [input.type, input.autocomplete, input.tabIndex]),
      ["text", "off", -1],
    );
    assert.deepEqual(
      await honeypot.evaluate((input) => {
        const { x, y } = input.getBoundingClientRect();
        const { scrollHeight } = document.documentElement;
        const { clipPath, position } = getComputedStyle(input);
        const hit = document.elementFromPoint(x + 1, y + 1) === input;
        input.remove();
        return [position, clipPath, hit, scrollHeight - document.documentElement.scrollHeight];
      }),
      ["fixed", "inset(50%)", false, 0],
    );
    assert.deepEqual(await site.page.evaluate("violations"), []);
  },
);

browserTest("a removed form is restored, and works when it is added again", async () => {
  await using site = await open(FORM);
  const { page } = site;
  await formIsReady(site.page);
  await page.evaluate(() => {
    const form = document.querySelector("form")!;
    (globalThis as unknown as { kept: Element }).kept = form;
    form.remove();
  });
  await page.waitForFunction(() =>
    !(globalThis as unknown as { kept: Element }).kept.querySelector("[name=cfbe_hp]")
  );
  await page.evaluate(() => {
    (globalThis as unknown as { recordedEvents: unknown[] }).recordedEvents.length = 0;
    document.body.append((globalThis as unknown as { kept: Element }).kept);
  });
  await formIsReady(site.page);
  assert.equal(await page.locator("[name=cfbe_hp]").count(), 1);
  await page.getByLabel("Email").fill("ada@example.com");
  await submit(site, en.form.success);
  assert.equal(site.backend.signups.length, 1);
});

browserTest("a form that is added again after a signup shows only the messages of the next", async () => {
  await using site = await open(BARE);
  const { page } = site;
  const status = page.getByRole("status");
  await formIsReady(page);
  await page.getByLabel("Email").fill("ada@example.com");
  await submit(site, en.form.success);
  await page.evaluate(() => {
    const form = document.querySelector("form")!;
    Object.assign(globalThis, { kept: form });
    form.remove();
  });
  await page.waitForFunction("!kept.querySelector('[name=cfbe_hp]')");
  await page.evaluate("recordedEvents.length = 0, document.body.append(kept)");
  await formIsReady(page);
  assert.deepEqual(await status.allTextContents(), [""]);
  await submitRejected(site);
  assert.deepEqual(await status.allTextContents(), ["No such."]);
  assert.equal(await page.locator("input:focus").getAttribute("aria-invalid"), "true");
});

browserTest(
  "a copy of a form with an error has one honeypot and one message, and loses its marks",
  async () => {
    await using site = await open(BARE);
    const { page } = site;
    await formIsReady(page);
    await submitRejected(site);
    await page.locator("[aria-invalid]").waitFor();
    await page.evaluate(() => {
      (globalThis as unknown as { recordedEvents: unknown[] }).recordedEvents.length = 0;
      document.body.replaceWith(document.body.cloneNode(true));
    });
    await formIsReady(page);
    await page.getByLabel("Email").fill("ada@example.com");
    await submit(site, en.form.success);
    assert.equal(await page.locator("[name=cfbe_hp]").count(), 1);
    assert.deepEqual(await page.getByRole("status").allTextContents(), [en.form.success]);
    assert.equal(await page.locator("[aria-invalid], [aria-describedby]").count(), 0);
  },
);

browserTest("a message that a page shows in place of the form after a signup stays", async () => {
  await using site = await open(FORM);
  const { page } = site;
  await formIsReady(page);
  await page.evaluate(() => {
    document.addEventListener("cfbe-success", ({ target }) => {
      const form = target as HTMLFormElement;
      Object.assign(globalThis, { kept: form });
      setTimeout(() => form.replaceWith(form.querySelector("output")!));
    });
  });
  await page.getByLabel("Email").fill("ada@example.com");
  await submit(site, en.form.success);
  await until(
    page,
    "the form is restored",
    () => page.evaluate("!!globalThis.kept && !kept.isConnected && !kept.querySelector('[name=cfbe_hp]')"),
  );
  assert.equal(await message(site).textContent(), en.form.success);
});

browserTest(
  "a form that is removed while its code loads is restored, and works when it is added again",
  async () => {
    await using site = await open(`<main></main>`);
    const { page, backend } = site;
    let arrive = () => {};
    const held = new Promise<void>((resolve) => arrive = resolve);
    await page.route(/\/cfbe\/own-/, async (route) => {
      await held;
      await route.continue();
    });
    const requested = page.waitForRequest(/\/cfbe\/own-/);
    await page.evaluate((markup) => {
      const main = document.querySelector("main")!;
      main.innerHTML = markup;
      const form = main.querySelector("form")!;
      form.addEventListener("cfbe-ready", () => Object.assign(globalThis, { started: true }));
      Object.assign(globalThis, { kept: form });
    }, FORM);
    await requested;
    await page.evaluate("kept.remove()");
    arrive();
    await page.waitForFunction("globalThis.started && !kept.querySelector('[name=cfbe_hp]')");

    await page.evaluate("document.body.append(kept)");
    await formIsReady(site.page);
    assert.equal(await page.locator("[name=cfbe_hp]").count(), 1);
    await page.getByLabel("Email").fill("ada@example.com");
    await submit(site, en.form.success);
    assert.equal(backend.signups.length, 1);
  },
);

browserTest("after a signup, own markup leads to the form's next page", async () => {
  await using site = await open(FORM, {
    settings: { forms: { footer: { layout: "inline", cfg: "footer.cfg", successUrl: "/thanks" } } },
  });
  await formIsReady(site.page);
  await site.page.getByLabel("Email").fill("ada@example.com");
  await site.page.getByRole("button").click();
  await until(
    site.page,
    "the next page",
    () => Promise.resolve(new URL(site.page.url()).pathname === "/thanks"),
  );
  assert.equal(site.backend.signups.length, 1);
});

browserTest("after a signup, own markup with a field named `reset` is empty, without an error", async () => {
  await using site = await open(FORM.replace("</form>", `<input type="reset" name="reset"></form>`));
  const { page } = site;
  await formIsReady(page);
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await until(page, "success", async () => await message(site).textContent() === en.form.success);
  assert.equal(await page.getByLabel("Email").inputValue(), "");
  assert.deepEqual(site.logs, []);
});

browserTest("own markup with a field named `elements` sends and marks its fields", async () => {
  await using site = await open(
    FORM.replace("<button>", '<input name="elements" aria-label="Notes"><button>'),
  );
  const { page, backend } = site;
  await formIsReady(page);
  await page.getByLabel("Yes").check();
  await submitRejected(site);
  await page.locator("[name=email][aria-invalid=true]:focus").waitFor();
  const { interests, consent } = backend.signups[0]!.body;
  assert.deepEqual([interests, consent], [[], true]);
});

browserTest("own markup is invisible where its targeting does not hold, and works once it does", async () => {
  const targeting = [{ conditions: [{ kind: "path" as const, match: "starts" as const, value: "/blog" }] }];
  await using site = await open(`<style>form { display: grid !important }</style>${FORM}`, {
    settings: { forms: { footer: { layout: "inline", cfg: "footer.cfg", targeting } } },
  });
  const { page, backend } = site;
  const form = page.locator("form");
  const height = (await form.boundingBox())!.height;
  await until(page, "hidden", async () => await form.getAttribute("off") === "targeting");
  assert.equal(await page.getByLabel("Email").isVisible(), false);
  assert.equal((await form.boundingBox())!.height, height);
  assert.deepEqual(backend.tokens, []);
  await page.evaluate("history.pushState({}, '', '/blog/bread')");
  await formIsReady(site.page);
  await page.getByLabel("Email").fill("ada@example.com");
  await submit(site, en.form.success);
  await page.evaluate("document.activeElement.blur(); history.pushState({}, '', '/shop')");
  await until(page, "hidden again", async () => !await page.getByLabel("Email").isVisible());
  await page.evaluate("history.pushState({}, '', '/blog/tea')");
  await until(page, "shown again", () => page.getByLabel("Email").isVisible());
});
