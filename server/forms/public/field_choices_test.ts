import assert from "node:assert/strict";
import { COUNTRY_CODES } from "../../../shared/fields/countries.ts";
import type { FormField } from "../../../shared/fields/kinds.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { fieldChoices } from "./field_choices.ts";

const COUNTRY: FormField = { name: "country", kind: "country", label: "Country" };
const BIRTHDAY: FormField = { name: "birthday", kind: "date", label: "Birthday", withoutYear: true };

Deno.test("pages get the names of countries and months only if a form asks for them", async () => {
  const choicesWith = async (settings: Record<string, unknown>) => {
    await using app = await harness({ settings });
    const { countries, dateParts } = await (await app.fetch("/cfbe.json")).json() as PublicSettings;
    return { ...(countries && { countries: countries.length }), ...(dateParts && { dateParts: true }) };
  };
  const fields = [COUNTRY, { name: "born", kind: "date", label: "Born" }];
  assert.deepEqual(await choicesWith({ form: { fields: fields.slice(1) } }), {});
  assert.deepEqual(await choicesWith({ form: { fields } }), { countries: 250 });
  assert.deepEqual(await choicesWith({ popup: { fields: [BIRTHDAY] } }), { dateParts: true });
  assert.deepEqual(await choicesWith({ forms: { forms: [{ name: "one", fields: [BIRTHDAY, COUNTRY] }] } }), {
    countries: 250,
    dateParts: true,
  });
});

Deno.test("every country is listed once, by its name in the language of the form and in its alphabetical order", () => {
  const countriesIn = (locale: string) => fieldChoices([COUNTRY], locale).countries!;
  for (const locale of ["en", "de", "ar", "pl"]) {
    const countries = countriesIn(locale);
    assert.deepEqual(countries.map(({ value }) => value).sort(), COUNTRY_CODES.toSorted());
    const names = countries.map(({ label }) => label);
    assert.deepEqual(names, names.toSorted((a, b) => a.localeCompare(b, locale)), locale);
  }
  const german = countriesIn("de").map(({ label }) => label);
  assert.ok(german.indexOf("Österreich") < german.indexOf("Pakistan"), "Ö is not after Z in German");
  assert.equal(countriesIn("sv").at(-1)!.label, "Östtimor", "Ö is the last letter in Swedish");
});

Deno.test("months and days are named in the language of the form, and in its order", () => {
  const labels = (locale: string) => fieldChoices([BIRTHDAY], locale).dateParts!.map(({ label }) => label);
  assert.deepEqual(labels("en"), ["Month", "Day"]);
  assert.deepEqual(labels("ja"), ["月", "日"]);
  assert.deepEqual(labels("ar"), ["يوم", "الشهر"]);
  const [day, month] = fieldChoices([BIRTHDAY], "de").dateParts!;
  assert.deepEqual([day!.label, month!.label], ["Tag", "Monat"]);
  assert.deepEqual(month!.options[6], { value: "07-", label: "Juli" });
  assert.deepEqual(day!.options.at(-1), { value: "31", label: "31" });
});
