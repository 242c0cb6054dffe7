import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { en } from "../../../shared/texts/en.ts";
import { CHOICES, EVERY_FIELD } from "../testing/fields.ts";
import { button, email, FORM, submit, waitForSuccess } from "../testing/form.ts";
import { browserTest, open, until } from "../testing/site.ts";

const forms = { footer: { layout: "inline" as const, cfg: "footer.cfg", fields: EVERY_FIELD } };
const settings = { forms, ...CHOICES };
/** Advances the page's clock until selects have their options, which they get after the form's first frame. */
/** The error below a field. The status repeats that of the first field. */
const fieldError = (page: Page, text: string) => page.locator("[part=error]").getByText(text);
const waitForOptions = (page: Page) =>
  until(page, "the options", async () => await page.getByLabel("My country").locator("option").count() > 1);
const path = "/?utm_source=mastodon";

browserTest("a form shows, checks and sends fields of every kind", async () => {
  await using site = await open(FORM, { settings, path });
  const { page, backend } = site;
  await waitForOptions(page);
  await email(page).fill("ada@example.com");
  await page.getByLabel("My firstName").fill("http://spam.example");
  await page.getByLabel("My number").fill("70");
  await button(page).click();
  await fieldError(page, "Please enter a number from 1 to 9.").waitFor();
  await fieldError(page, en.form.invalidInterests).waitFor();
  const focused = await page.locator("cfbe-form").evaluate((form) => form.shadowRoot!.activeElement!.id);
  assert.equal(focused, "firstname");
  assert.equal(backend.signups.length, 0);

  await page.getByLabel("My firstName").fill("Ada");
  assert.equal(await page.getByLabel("My firstName").getAttribute("aria-invalid"), "false");
  await page.getByLabel("My number").fill("7");
  await page.getByLabel("Month", { exact: true }).selectOption("July");
  await page.getByLabel("Day", { exact: true }).selectOption("14");
  await page.getByLabel("My country").selectOption({ label: "Germany" });
  await page.getByLabel("My select").selectOption("Large");
  await page.getByRole("radio", { name: "Small" }).check();
  await page.getByRole("checkbox", { name: "Large" }).check();
  await page.getByRole("checkbox", { name: "Text me" }).check();
  backend.answer = () => ({
    success: false,
    code: "invalid",
    message: en.form.invalid,
    fields: { phone: "No such." },
  });
  await submit(site);
  await fieldError(page, "No such.").waitFor();
  assert.deepEqual(backend.signups[0]!.body.fields, {
    firstname: "Ada",
    lastname: "",
    text: "",
    number: "7",
    date: ["07", "14"],
    phone: "",
    country: "DE",
    select: "l",
    radio: "s",
    multiselect: "l",
    consent: "on",
    hidden: "mastodon",
  });
  backend.answer = () => ({ success: true, code: "pending", message: en.form.success });
  await button(page).click();
  await waitForSuccess(site);
});

browserTest(
  "own markup and headless signups send fields, and forms without fields load no code for them",
  async () => {
    const html = `<form data-cfbe-form="footer">
      <input name="email" value="ada@example.com">
      <select name="fields[multiselect]" multiple><option value="s" selected><option value="l" selected></select>
      <input data-cfbe-field="text" value="ACME"><input type="checkbox" name="fields[checkbox]">
      <button>Subscribe</button>
    </form>`;
    await using site = await open(html, { settings, path });
    const { page, backend } = site;
    await page.getByRole("button").click();
    await until(page, "a signup", () => Promise.resolve(backend.signups.length === 1));
    const signup = page.evaluate(
      "cfbe.subscribe({ form: 'footer', email: 'b@example.com', fields: { text: 'B' } })",
    );
    await until(page, "two signups", () => Promise.resolve(backend.signups.length === 2));
    await signup;
    assert.deepEqual(backend.signups.map(({ body }) => body.fields), [
      { multiselect: ["s", "l"], text: "ACME", hidden: "mastodon" },
      { hidden: "mastodon", text: "B" },
    ]);

    await using plain = await open(FORM);
    await email(plain.page).waitFor();
    assert.deepEqual(plain.backend.requests.filter((path) => path.includes("/fields-")), []);
  },
);

browserTest(
  "names of countries and months are those of the settings, not of the browser, and options come after the first frame",
  async () => {
    const before = (page: Page) =>
      page.addInitScript("delete Intl.DisplayNames; delete Intl.DateTimeFormat; delete Intl.Collator");
    await using site = await open(FORM, { settings, before });
    const { page } = site;
    const country = page.getByLabel("My country");
    await country.waitFor();
    assert.equal(await country.locator("option").count(), 1, "in the first frame");
    await waitForOptions(page);
    const textsOf = (select: Locator) => select.locator("option").allTextContents();
    assert.deepEqual(await textsOf(country), [
      en.form.choose,
      "Austria",
      "France",
      "Germany",
    ]);
    assert.deepEqual(await textsOf(page.getByLabel("Month", { exact: true })), ["Month", "June", "July"]);
  },
);

browserTest(
  "a chosen country stays while the visitor types and when the language changes, and another form's select has its own options",
  async () => {
    const options = [{ value: "s", label: "Small" }];
    const fields = [{ name: "country", kind: "country" as const, label: "My country" }];
    const other = [{ name: "size", kind: "select" as const, label: "My size", options }];
    await using site = await open(FORM, {
      settings: {
        ...CHOICES,
        forms: {
          footer: { layout: "inline", cfg: "footer.cfg", fields },
          size: { layout: "inline", cfg: "size.cfg", fields: other },
        },
      },
    });
    const { page, backend } = site;
    const country = page.getByLabel("My country");
    await waitForOptions(page);
    await country.selectOption("DE");
    await country.locator("option").last().evaluate((option) => option.setAttribute("title", "kept"));
    await email(page).fill("ada");
    await button(page).click();
    await page.locator("[aria-invalid=true]").first().waitFor();
    await page.clock.runFor(500);
    assert.equal(await country.locator("option").last().getAttribute("title"), "kept");
    assert.equal(await country.inputValue(), "DE");

    backend.settings!.countries = [{ value: "DE", label: "Deutschland" }, {
      value: "AT",
      label: "Österreich",
    }];
    const setAttribute = (name: string, value: string) =>
      page.locator("cfbe-form").evaluate(
        (form, [name, value]) => form.setAttribute(name!, value!),
        [name, value],
      );
    await setAttribute("locale", "de");
    await until(
      page,
      "the German names",
      async () => /Deutschland/.test((await country.textContent())!),
    );
    assert.equal(await country.inputValue(), "DE");
    assert.equal(await country.locator("option").count(), 3);

    await setAttribute("form", "size");
    await page.getByLabel("My size").waitFor();
    await page.clock.runFor(500);
    const index = await page.getByLabel("My size").evaluate((select: HTMLSelectElement) =>
      select.selectedIndex
    );
    assert.equal(index, 0);
    assert.deepEqual(await page.getByLabel("My size").locator("option").allTextContents(), [
      en.form.choose,
      "Small",
    ]);
  },
);

browserTest(
  "a number keeps decimals after a comma, and half a date is an error, not an empty answer",
  async () => {
    const fields = [
      { name: "weight", kind: "number" as const, label: "Weight", min: 0, max: 10 },
      { name: "day", kind: "date" as const, label: "Day" },
    ];
    const forms = { footer: { layout: "inline" as const, cfg: "footer.cfg", fields } };
    await using site = await open(FORM, { settings: { forms } });
    const { page, backend } = site;
    await email(page).fill("ada@example.com");
    await page.getByLabel("Weight").pressSequentially("4,5");
    await page.getByLabel("Day").pressSequentially("12");
    await button(page).click();
    await fieldError(page, en.form.invalidDate).waitFor();
    assert.equal(backend.signups.length, 0);
    await page.getByLabel("Day").fill("2024-02-29");
    await submit(site);
    await waitForSuccess(site);
    assert.deepEqual(backend.signups[0]!.body.fields, { weight: "4,5", day: "2024-02-29" });
  },
);

browserTest(
  "a form shows its parts and fields in its own order, also for the keyboard, and another form in the usual one",
  async () => {
    const field = { name: "company", kind: "text" as const, label: "Company" };
    const more = { layout: "inline" as const, nameField: "optional" as const, fields: [field] };
    const forms = {
      footer: { ...more, cfg: "footer.cfg", order: ["name", "company", "email", "interests"] },
      usual: { ...more, cfg: "usual.cfg" },
      short: {
        layout: "inline" as const,
        nameField: "optional" as const,
        cfg: "short.cfg",
        order: ["name", "email"],
      },
    };
    await using site = await open(FORM, { settings: { forms } });
    const { page } = site;
    const names = () =>
      page.locator("cfbe-form [part=input]").evaluateAll((inputs) =>
        inputs.map((input) => (input as HTMLInputElement).name)
      );
    await email(page).waitFor();
    assert.deepEqual(await names(), ["name", "fields[company]", "email"]);
    await page.getByLabel("Name").focus();
    const reached: string[] = [];
    for (let presses = 0; presses < 2; presses++) {
      await page.keyboard.press("Tab");
      reached.push(await page.locator("cfbe-form").evaluate((form) => form.shadowRoot!.activeElement!.id));
    }
    assert.deepEqual(reached, ["company", "email"]);
    const show = (form: string) =>
      page.locator("cfbe-form").evaluate((element, form) => element.setAttribute("form", form), form);
    await show("usual");
    await until(page, "the usual order", async () => (await names())[0] === "email");
    assert.deepEqual(await names(), ["email", "name", "fields[company]"]);
    await show("short");
    await until(page, "the order without fields", async () => (await names()).join() === "name,email");
  },
);
