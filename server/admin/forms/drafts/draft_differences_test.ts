import assert from "node:assert/strict";
import { draftedForm } from "../../../settings/forms/drafted_form.ts";
import { type PartialSettings, SettingsSchema } from "../../../settings/schema/schema.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";
import { DESIGN_LABELS, formDesign } from "../../../settings/schema/design_schema.ts";
import { draftDifferences } from "./draft_differences.ts";

const company = { name: "company", kind: "text" as const, label: "Company" };
const size = { name: "size", kind: "select" as const, label: "Size", options: ["small", "large"] };
const phone = { name: "phone", kind: "phone" as const, required: true };

/** Returns the rows for a form named `footer` whose page was saved with these values. */
function rows(own: object, values: Record<string, unknown>, settings: PartialSettings = {}) {
  const all = SettingsSchema.parse({ ...settings, forms: { forms: [{ name: "footer", ...own }] } });
  const drafted = draftedForm(all, { name: "footer" }, { values })!;
  return draftDifferences(all, drafted).map(({ title, before, after }) => [title, before, after]);
}

Deno.test("a field that is added, removed or changed is one row with its label", () => {
  assert.deepEqual(rows({ fields: [company] }, { fields: [company, phone, size] }), [
    ["Field “Phone”", "Not in the form", "Phone, required"],
    ["Field “Size”", "Not in the form", "Select, optional"],
  ]);
  assert.deepEqual(rows({ fields: [company, size] }, { fields: [size] }), [
    ["Field “Company”", "Text, optional", "Not in the form"],
  ]);
  const changed = { ...size, label: "Team size", options: ["small", "medium"] };
  assert.deepEqual(rows({ fields: [company, size] }, { fields: [company, changed] }), [
    ["Field “Team size”", "Label: Size; Options: small, large", "Label: Team size; Options: small, medium"],
  ]);
});

Deno.test("values are compared as their inputs name them", () => {
  const birthday = { name: "birthday", kind: "date", withoutYear: true };
  const design = { radius: "large", columns: 2 };
  assert.deepEqual(
    rows({ consent: "off" }, { consent: "required", consentText: "Yes.", design, fields: [birthday] }),
    [
      ["Consent checkbox", "None", "Required"],
      ["Design › Corners", "not set", "Very rounded"],
      ["Design › Columns", "not set", "Two"],
      ["Consent text", "not set", "Yes."],
      ["More fields", "Those of the form defaults", "Its own"],
      ["Field “Date”", "Not in the form", "Date without the year, optional"],
    ],
  );
});

Deno.test("every choice of a design is compared as its input names it", async () => {
  await using app = await adminHarness();
  await app.services.settings.save("forms", { forms: [{ name: "footer" }] });
  const { html } = await (await app.signIn()).page("/form-settings?form=footer");
  const { image: _, ...shape } = formDesign.shape;
  for (const member of Object.keys(shape).filter((each) => !/^(accent|background|text)/.test(each))) {
    const named = (html.split(/<(?:select|fieldset)/).find((part) =>
      part.includes(`fields.design.${member}"`)
    ) ?? "")
      .replace(/<\/(?:select|fieldset)>.*/s, "");
    const values = member === "preset"
      ? [...named.matchAll(/value="(\w+)"[^>]*>.*?<span>([^<]+)<\/span><\/label>/gs)]
      : [...named.matchAll(/<option value="(\w+)">([^<]+)</g)];
    assert.ok(values.length > 1, member);
    for (const [, value, name] of values) {
      const title = `Design › ${DESIGN_LABELS[member as keyof typeof DESIGN_LABELS]}`;
      assert.deepEqual(rows({}, { design: { [member]: value } }), [[title, "not set", name]]);
    }
  }
});

Deno.test("fields in another order are one row", () => {
  assert.deepEqual(rows({ fields: [company, size, phone] }, { fields: [phone, company, size] }), [
    ["More fields › Order", "Company, Size, Phone", "Phone, Company, Size"],
  ]);
});

Deno.test("an order names fields by their labels, and a language is named", () => {
  const fields = [company, phone];
  assert.deepEqual(
    rows({ fields, language: "en" }, {
      fields: [{ ...company, label: "Employer" }, phone],
      order: ["email", "company", "gone", "phone", "name"],
      language: "pt-BR",
    }),
    [
      ["Language for other languages", "English", "Brazilian Portuguese"],
      ["Order", "not set", "Email address, Employer, gone, Phone, Name"],
      ["Field “Employer”", "Label: Company", "Label: Employer"],
    ],
  );
  assert.deepEqual(
    rows({}, { language: "not a language", order: ["company", "email"] }, { form: { fields } }),
    [
      ["Language for other languages", "not set", "not a language"],
      ["Order", "not set", "Company, Email address"],
    ],
  );
});

Deno.test("fields that become the form's own are compared with those that it inherits", () => {
  const defaults = { form: { fields: [company], interests: [{ tag: "tea", label: "Tea" }] } };
  assert.deepEqual(
    rows({}, { fields: [company, size], interests: [{ tag: "tea", label: "Teas" }] }, defaults),
    [
      ["More fields", "Those of the form defaults", "Its own"],
      ["Field “Size”", "Not in the form", "Select, optional"],
      ["Interests", "Those of the form defaults", "Its own"],
      ["Interest “Teas”", "Label: Tea", "Label: Teas"],
    ],
  );
});

Deno.test("targeting is compared in words", () => {
  const path = { kind: "path", match: "starts", value: "/blog" };
  const utm = { kind: "utm", name: "campaign", match: "is", value: "spring" };
  const targeting = [{ conditions: [path, utm] }, { conditions: [{ kind: "visitor", value: "returning" }] }];
  const [row, ...others] = rows({}, { targeting });
  assert.deepEqual(others, []);
  assert.deepEqual(row!.slice(0, 2), ["Targeting", "not set"]);
  assert.match(row![2]!, /^Path starts with \/blog, and .*spring; or Visitor is returning$/);
});

Deno.test("the end of a countdown is compared as people write dates", () => {
  assert.deepEqual(rows({ countdown: "2026-12-01T09:00" }, { countdown: "2027-01-02T18:30" }), [
    ["Countdown", "1 Dec 2026, 09:00", "2 Jan 2027, 18:30"],
  ]);
});

Deno.test("a draft that has become invalid is still compared", () => {
  const broken = rows({ fields: [company] }, { fields: [{ name: "x", kind: "gone" }, "text", null] });
  assert.deepEqual(broken, [
    ["Field “Company”", "Text, optional", "Not in the form"],
    ["Field “x”", "Not in the form", "gone, optional"],
  ]);
});

Deno.test("languages that are removed together are one row, and the texts of one that is removed alone have one each", () => {
  const texts = Object.fromEntries(
    ["de", "fr", "it"].map((locale) => [locale, { forms: [{ name: "footer", heading: "X", text: "Y" }] }]),
  );
  const changed = (...removed: string[]) => {
    const settings = SettingsSchema.parse({
      forms: { forms: [{ name: "footer" }] },
      form: { locales: texts },
    });
    const none = Object.fromEntries(removed.map((locale) => [locale, {}]));
    const drafted = draftedForm(settings, { name: "footer" }, { values: {}, texts: none })!;
    return draftDifferences(settings, drafted).map(({ title, before, after }) => [title, before, after]);
  };
  assert.deepEqual(changed(), []);
  assert.deepEqual(changed("fr", "it"), [["Languages", "French, Italian", "Removed"]]);
  assert.deepEqual(changed("fr").map(([title]) => title), ["French › Heading", "French › Text"]);
});
