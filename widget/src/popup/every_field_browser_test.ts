import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { LAYOUTS } from "../../../shared/contract.ts";
import type { FormField } from "../../../shared/fields/kinds.ts";
import { OPENING_KINDS } from "../../../shared/opening_kinds.ts";
import type { PublicForm, PublicSettings } from "../../../shared/public_settings.ts";
import { en } from "../../../shared/texts/en.ts";
import { CHOICES, EVERY_FIELD } from "../testing/fields.ts";
import { formThatOpens } from "../testing/openings.ts";
import { browserTest, open, type Site, until } from "../testing/site.ts";

/** Returns a form per field, named like it, and `all`, which has all of them. */
function formsWith(form: Omit<PublicForm, "cfg">): PublicSettings["forms"] {
  const single = EVERY_FIELD.map((field): [string, FormField[]] => [field.name, [field]]);
  return Object.fromEntries(
    [["all", EVERY_FIELD] as [string, FormField[]], ...single].map(([name, fields]) => [
      name,
      { ...form, cfg: `${name}.cfg`, fields },
    ]),
  );
}

/** Asserts that a form shows the fields, and that it signs up. */
async function useForm({ page, backend }: Site, form: Locator, fields: readonly FormField[]): Promise<void> {
  await until(page, "the form", () => form.getByLabel(en.form.emailLabel).isVisible());
  for (const { kind, label = "" } of fields) {
    const control = /radio|multiSelect/.test(kind)
      ? form.getByRole("group", { name: label })
      : kind === "consent"
      ? form.getByRole("checkbox", { name: "Text me" })
      : form.getByLabel(kind === "date" ? "Month" : label);
    assert.equal(await control.isVisible(), kind !== "hidden", kind);
    if (kind === "radio") await control.getByLabel("Small").check();
    if (kind === "consent") await control.check();
  }
  await form.getByLabel(en.form.emailLabel).fill("ada@example.com");
  const before = backend.signups.length;
  await form.getByRole("button", { name: en.form.button }).click();
  await until(page, "a signup", () => Promise.resolve(backend.signups.length > before));
}

for (const kind of OPENING_KINDS) {
  browserTest(
    `a ${kind} opens with fields of every kind, by itself and on request, and signs up`,
    async () => {
      const forms = formsWith(formThatOpens(kind));
      await using site = await open("<h1>A shop</h1>", { settings: { ...CHOICES, opening: ["all"], forms } });
      const { page } = site;
      const opened = (name: string) => page.locator(`cfbe-popup[open][form="${name}"]`);
      await useForm(site, opened("all"), EVERY_FIELD);
      for (const field of EVERY_FIELD) {
        assert.equal(await page.evaluate(`cfbe.open("${field.name}")`), true, field.name);
        await useForm(site, opened(field.name), [field]);
      }
      assert.deepEqual(site.logs, []);
    },
  );
}

for (const layout of LAYOUTS) {
  browserTest(`the layout ${layout} shows fields of every kind, and signs up`, async () => {
    const forms = formsWith({ layout });
    const names = Object.keys(forms);
    const body = names.map((name) => `<cfbe-form form="${name}"></cfbe-form>`).join("");
    await using site = await open(body, { settings: { ...CHOICES, forms } });
    for (const name of names) {
      const form = site.page.locator(`cfbe-form[form="${name}"]`);
      await form.scrollIntoViewIfNeeded();
      await useForm(site, form, forms[name]!.fields!);
    }
    assert.deepEqual(site.logs, []);
  });
}
