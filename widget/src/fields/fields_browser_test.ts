import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { EVERY_FIELD } from "../testing/fields.ts";
import { button, email, FORM, submit, waitForSuccess } from "../testing/form.ts";
import { browserTest, open, until } from "../testing/site.ts";

const forms = { footer: { layout: "inline" as const, cfg: "footer.cfg", fields: EVERY_FIELD } };
const path = "/?utm_source=mastodon";

browserTest("a form shows, checks and sends fields of every kind", async () => {
  await using site = await open(FORM, { settings: { forms }, path });
  const { page, backend } = site;
  await email(page).fill("ada@example.com");
  await page.getByLabel("My firstName").fill("http://spam.example");
  await page.getByLabel("My number").fill("70");
  await button(page).click();
  await page.getByText("Please enter a number from 1 to 9.").waitFor();
  await page.getByText(en.invalidInterests).waitFor();
  const focused = await page.locator("cfbe-form").evaluate((form) => form.shadowRoot!.activeElement!.id);
  assert.equal(focused, "firstname");
  assert.equal(backend.signups.length, 0);

  await page.getByLabel("My firstName").fill("Ada");
  assert.equal(await page.getByLabel("My firstName").getAttribute("aria-invalid"), null);
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
    message: en.invalid,
    fields: { phone: "No such." },
  });
  await submit(site);
  await page.getByText("No such.").waitFor();
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
  backend.answer = () => ({ success: true, code: "pending", message: en.success });
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
    await using site = await open(html, { settings: { forms }, path });
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
