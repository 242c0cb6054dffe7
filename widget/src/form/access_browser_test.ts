/** What screen readers find in a form, and what they hear. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { accessTree, focusedNode } from "../../../e2e/access_tree.ts";
import type { FormField } from "../../../shared/fields/kinds.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { en } from "../../../shared/texts/en.ts";
import { CHOICES, EVERY_FIELD } from "../testing/fields.ts";
import { ALL_FIELDS, button, email, FORM, hasState, submit } from "../testing/form.ts";
import { browserTest, open, type Site, until } from "../testing/site.ts";

/** With the email address and the consent, nine fields without which no signup is sent. */
const SEVEN_FIELDS: FormField[] = EVERY_FIELD
  .filter(({ kind }) => !["hidden", "firstName", "lastName", "checkbox", "consent", "select"].includes(kind))
  .map((field) => ({ ...field, required: true }));
const NINE_FIELDS: Partial<PublicSettings> = {
  ...CHOICES,
  ...ALL_FIELDS,
  nameField: "hidden",
  interests: [],
  fields: SEVEN_FIELDS,
};

/** Waits until the selects have their options, which come after the form. */
const waitForOptions = (page: Page) =>
  until(page, "the options", async () => await page.locator("option", { hasText: "Austria" }).count() === 1);

/** Records what the form's status says, one entry for each change. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = [];
    const status = document.querySelector("cfbe-form")!.shadowRoot!.querySelector("form [role=status]")!;
    new MutationObserver(() => said.push(status.textContent!)).observe(status, {
      characterData: true,
      childList: true,
      subtree: true,
    });
    Object.assign(globalThis, { said });
  });
  return () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said.splice(0));
}

/** Submits with Enter from the field that has the focus, and waits until the status says something. */
async function submitWithEnter({ page }: Site, heard: () => Promise<string[]>): Promise<string[]> {
  await page.keyboard.press("Enter");
  const said: string[] = [];
  await until(page, "the status", async () => {
    said.push(...await heard());
    return await hasState(page, "error") && !!said.at(-1);
  });
  return said;
}

browserTest(
  "with nine errors, the first is announced once at each attempt, and each field is described by its own",
  async () => {
    assert.equal(SEVEN_FIELDS.length, 7);
    await using site = await open(FORM, { settings: NINE_FIELDS });
    const { page } = site;
    await email(page).focus();
    const heard = await listen(page);
    for (let attempt = 1; attempt <= 2; attempt++) {
      const said = await submitWithEnter(site, heard);
      assert.deepEqual(said.filter((text) => text !== ""), [en.form.invalidEmail], "once");
      assert.ok(attempt === 1 || said.includes(""), "a text that stays would not be announced again");
      const focused = await focusedNode(page);
      assert.deepEqual(
        [focused?.name, focused?.invalid, focused?.description],
        [en.form.emailLabel, true, en.form.invalidEmail],
      );
      assert.equal(await page.locator("[part=error]").count(), 9);
      const wrong = (await accessTree(page)).filter(({ invalid }) => invalid);
      assert.ok(wrong.length >= 9, "a choice has several inputs");
      assert.deepEqual(
        wrong.filter(({ description }) => !description),
        [],
        "each says what is wrong with it",
      );
      const { width, height } = (await page.getByRole("status").first().boundingBox())!;
      assert.deepEqual([width, height], [1, 1], "seen beside its field only");
    }
  },
);

browserTest(
  "the first wrong field has the focus, also among radio buttons, and after its correction the next",
  async () => {
    await using site = await open(FORM, { settings: NINE_FIELDS });
    const { page } = site;
    await waitForOptions(page);
    await email(page).fill("ada@example.com");
    for (const [label, value] of [["My text", "A"], ["My number", "2"], ["My phone", "+43 1 5330101"]]) {
      await page.getByLabel(label!).fill(value!);
    }
    await page.getByLabel("Month").selectOption("07");
    await page.getByLabel("Day").selectOption("14");
    await page.getByLabel("My country").selectOption("AT");
    await submit(site);
    const first = await focusedNode(page);
    assert.deepEqual([first?.role, first?.name, first?.description], [
      "radio",
      "Small",
      en.form.invalidInterests,
    ]);
    await page.keyboard.press("Space");
    const heard = await listen(page);
    assert.equal((await submitWithEnter(site, heard)).at(-1), en.form.invalidInterests);
    assert.equal((await focusedNode(page))?.role, "checkbox");
  },
);

browserTest(
  "a message about the whole form is seen, and one beside errors that were corrected is not",
  async () => {
    await using site = await open(FORM);
    const { page, backend } = site;
    const refused = { success: false, code: "invalid", message: en.form.invalid } as const;
    const status = page.getByRole("status").first();
    await email(page).fill("ada@example.com");
    backend.answer = () => ({ ...refused, fields: { email: "No such." } });
    await submit(site);
    await until(page, "the error", async () => await status.textContent() === "No such.");
    await email(page).fill("ada@example.net");
    assert.equal(await status.textContent(), "");
    backend.answer = () => ({ ...refused, fields: { gone: "No such field here." } });
    await submit(site);
    await until(page, "the message", async () => await status.textContent() === en.form.invalid);
    assert.ok((await status.boundingBox())!.height > 10);
  },
);

browserTest(
  "no field is invalid before it was checked, and each says whether it can be left out",
  async () => {
    const fields = EVERY_FIELD.map((field) => ({
      ...field,
      required: /radio|multi|country/i.test(field.kind),
    }));
    await using site = await open(FORM, {
      settings: {
        ...CHOICES,
        ...ALL_FIELDS,
        fields,
        consent: "optional",
        consentText: "Follow my [visits](https://a.example).",
      },
    });
    const { page } = site;
    await button(page).waitFor();
    await until(
      page,
      "the countries",
      async () => await page.locator("option", { hasText: "Austria" }).count() === 1,
    );
    const tree = await accessTree(page);
    assert.deepEqual(
      tree.filter(({ invalid }) => invalid),
      [],
    );
    const named = (role: string) => tree.filter((node) => node.role === role).map(({ name }) => name);
    assert.deepEqual(named("form"), [en.form.heading]);
    assert.deepEqual(named("group"), [
      `${en.form.interestsLabel} (optional)`,
      "My date (optional)",
      "My radio (required)",
      "My multiSelect (required)",
    ]);
    assert.deepEqual(named("combobox"), ["Month", "Day", "My country", "My select (optional)"]);
    assert.deepEqual(named("checkbox").slice(-3), [
      "My checkbox (optional)",
      "Text me. See the terms of the text messages. (optional)",
      "Follow my visits. (optional)",
    ]);
    assert.deepEqual(
      tree.filter(({ role }) => role === "link").map(({ description }) => description),
      [en.form.newTab, en.form.newTab],
    );
  },
);

browserTest("the link to a visitor's webmail says that it opens in a new tab", async () => {
  await using site = await open(FORM);
  const { page } = site;
  await email(page).fill("ada@gmail.com");
  await submit(site);
  const link = (await accessTree(page)).find(({ role }) => role === "link");
  assert.deepEqual([link?.name, link?.description], ["Open Gmail", en.form.newTab]);
});
