import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import {
  ALL_FIELDS,
  button,
  email,
  FORM,
  hasState,
  message,
  submit,
  waitForSuccess,
} from "../testing/form.ts";
import { browserTest, open, recordedEvents, until } from "../testing/site.ts";

browserTest("a visitor can sign up on a page of another origin", async () => {
  await using site = await open(FORM, { settings: ALL_FIELDS });
  const { page, backend } = site;
  await email(page).fill(" ada@example.com ");
  await page.getByLabel(/^Name/).fill("Ada");
  await page.getByLabel("Offers").check();
  await page.getByLabel(/privacy policy/).check();
  await submit(site);

  assert.equal(await message(page).textContent(), en.form.success);
  assert.deepEqual(backend.signups.map(({ body }) => body), [{
    source: "shortcode",
    email: "ada@example.com",
    cfbe_hp: "",
    name: "Ada",
    interests: ["offers"],
    consent: true,
    form: "footer",
    cfbe_cfg: "footer.cfg",
    cfbe_token: backend.signups[0]!.body.cfbe_token,
  }]);
  assert.match(backend.signups[0]!.body.cfbe_token!, /^\d+\.signature$/);
  assert.equal(backend.signups[0]!.headers.get("accept-language"), "en");
  assert.deepEqual(site.logs, []);
});

browserTest(
  "a page's shortcuts see no letter that is typed into a form, but Escape and combinations",
  async () => {
    await using site = await open(FORM);
    const { page } = site;
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(globalThis, { seen });
      for (const name of ["keydown", "keypress", "keyup"]) {
        document.addEventListener(name, (event) => {
          seen.push(`${name} ${(event as KeyboardEvent).key}`);
          if ((event as KeyboardEvent).key === "s") event.preventDefault();
        });
      }
    });
    await email(page).pressSequentially("s@/");
    assert.equal(await email(page).inputValue(), "s@/");
    assert.deepEqual(await page.evaluate("seen"), []);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    assert.deepEqual(await page.evaluate("seen.filter((event) => event.startsWith('keydown'))"), [
      "keydown Escape",
      "keydown Control",
      "keydown k",
    ]);
  },
);

browserTest("events report each step, and never contain an address", async () => {
  await using site = await open(FORM);
  await email(site.page).fill("ada@example.com");
  await submit(site);
  const detail = { form: "footer", source: "shortcode" };
  assert.deepEqual(await recordedEvents(site.page), [
    { type: "cfbe-ready", detail },
    { type: "cfbe-beforesubmit", detail },
    { type: "cfbe-submit", detail },
    { type: "cfbe-success", detail: { ...detail, code: "pending" } },
  ]);
});

browserTest("canceling cfbe-beforesubmit prevents the signup", async () => {
  await using site = await open(FORM);
  await site.page.evaluate(() => addEventListener("cfbe-beforesubmit", (event) => event.preventDefault()));
  await email(site.page).fill("ada@example.com");
  await button(site.page).click();
  await site.page.clock.runFor(10_000);
  assert.equal(site.backend.signups.length, 0);
  assert.equal(await hasState(site.page, "open"), true);
});

browserTest("a submission within three seconds waits and shows a busy button", async () => {
  await using site = await open(FORM);
  const { page, backend } = site;
  await email(page).fill("ada@example.com");
  await button(page).click();
  await button(page).getByText(en.form.sending).waitFor({ state: "visible" });
  assert.equal(await hasState(page, "busy"), true);
  await page.clock.runFor(3000);
  assert.equal(backend.signups.length, 0);
  await waitForSuccess(site);
  assert.equal(backend.signups.length, 1);
});

browserTest("with real clocks, the submitted token is older than three seconds", async () => {
  await using site = await open(FORM, { live: true });
  await email(site.page).fill("ada@example.com");
  await button(site.page).click();
  await message(site.page).waitFor();
  const [{ at, body }] = site.backend.signups as [typeof site.backend.signups[0]];
  const age = at - Number(body.cfbe_token!.split(".")[0]);
  assert.ok(age > 3000 && age < 6000, `${age} ms`);
});

browserTest("a token that expired in an open tab is replaced before it is sent", async () => {
  await using site = await open(FORM);
  await email(site.page).fill("ada@example.com");
  await site.page.clock.fastForward("03:00:00");
  await submit(site);
  assert.ok(site.backend.tokens.length >= 2);
  assert.equal(
    site.backend.signups[0]!.body.cfbe_token,
    `${site.backend.tokens.at(-1)}.signature`,
  );
});

browserTest(
  "a distant form loads no code, and an unseen form requests no token",
  async () => {
    await using site = await open(`<p id="tall">Tall</p><style>#tall{height:9000px}</style>${FORM}`);
    const { page, backend } = site;
    await page.waitForFunction(() => "cfbe" in globalThis);
    // The settings are loaded to find out whether the popup is on.
    await until(page, "settings", () => Promise.resolve(backend.requests.length === 2));
    assert.deepEqual(backend.requests, ["/cfbe.js", "/cfbe.json"]);
    await page.evaluate(() => scrollTo(0, 9000 - innerHeight - 300));
    await email(page).waitFor({ state: "attached" });
    assert.equal(backend.tokens.length, 0);
    await email(page).scrollIntoViewIfNeeded();
    await until(page, "a token", () => Promise.resolve(backend.tokens.length === 1));
  },
);

browserTest("offline, the form says so and keeps the entries; back online, the signup succeeds", async () => {
  await using site = await open(FORM);
  const { page } = site;
  await email(page).fill("ada@example.com");
  await page.context().setOffline(true);
  await submit(site);
  assert.equal(await message(page).textContent(), en.form.offline);
  assert.equal(await email(page).inputValue(), "ada@example.com");
  await page.context().setOffline(false);
  await submit(site);
  assert.equal(await message(page).textContent(), en.form.success);
});

browserTest("an address that was copied with no-break spaces around it is valid", async () => {
  await using site = await open(FORM);
  await email(site.page).fill("\u00a0ada@example.com\u00a0");
  await submit(site);
  assert.equal(site.backend.signups[0]!.body.email, "ada@example.com");
});

browserTest("a double click signs up once", async () => {
  await using site = await open(FORM);
  await email(site.page).fill("ada@example.com");
  await button(site.page).dblclick();
  await waitForSuccess(site);
  await site.page.clock.runFor(10_000);
  assert.equal(site.backend.signups.length, 1);
});

browserTest(
  "the form works with the keyboard alone, and success moves the focus to the message",
  async () => {
    await using site = await open(FORM, { settings: ALL_FIELDS });
    const { page, backend } = site;
    await email(page).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("ada@example.com");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Ada");
    for (const key of ["Tab", "Space", "Tab", "Tab", "Space", "Tab", "Tab", "Enter"]) {
      await page.keyboard.press(key);
    }
    await waitForSuccess(site);
    const [{ body }] = backend.signups as [typeof backend.signups[0]];
    assert.deepEqual(
      [body.email, body.name, body.interests, body.consent],
      ["ada@example.com", "Ada", ["news"], true],
    );
    const focused = await page.evaluate(() =>
      document.querySelector("cfbe-form")!.shadowRoot!.activeElement!.textContent
    );
    assert.ok(focused!.startsWith(en.form.successHeading + en.form.success));
  },
);

browserTest("a mistyped domain can be corrected with one click", async () => {
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

browserTest(
  "a form's next page follows the signup, and its attribute replaces it, also with the message alone",
  async () => {
    const cases: [element: string, hash: string][] = [
      ['<cfbe-form form="club"></cfbe-form>', "#club"],
      ["<cfbe-form></cfbe-form>", "#default"],
      ['<cfbe-form form="club" success-url="/#own"></cfbe-form>', "#own"],
      ['<cfbe-form form="quiet"></cfbe-form>', ""],
      ['<cfbe-form form="club" success-url=""></cfbe-form>', ""],
    ];
    const form = { layout: "inline", cfg: "signed" } as const;
    const forms = { club: { ...form, successUrl: "/#club" }, quiet: { ...form, successUrl: "" } };
    for (const [element, hash] of cases) {
      await using site = await open(element, { settings: { successUrl: "/#default", forms } });
      await email(site.page).fill("ada@example.com");
      await button(site.page).click();
      await waitForSuccess(site);
      assert.equal(new URL(site.page.url()).hash, hash, element);
    }
  },
);

browserTest("success-url redirects the visitor after a signup", async () => {
  await using site = await open('<cfbe-form success-url="/#thanks"></cfbe-form>');
  await email(site.page).fill("ada@example.com");
  await button(site.page).click();
  await until(site.page, "the other page", () => Promise.resolve(site.page.url().endsWith("/#thanks")));
});
