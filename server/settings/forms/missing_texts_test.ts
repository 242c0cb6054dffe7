import assert from "node:assert/strict";
import { type PartialSettings, SettingsSchema } from "../schema/schema.ts";
import { missingTexts } from "./missing_texts.ts";

const fields = [
  { name: "size", kind: "select" as const, label: "Size", help: "Of shirts", options: ["Small", "Large"] },
  { name: "first_name", kind: "firstName" as const },
  { name: "birthday", kind: "date" as const, label: "Birthday" },
  { name: "from", kind: "hidden" as const, label: "From", from: "referrer" as const },
];
const club = {
  name: "club",
  heading: "Club",
  text: "",
  countdownAfter: "Over",
  consentText: "I agree.",
  texts: { emailLabel: "Work email", success: "Thanks" },
  interests: [{ tag: "tea", label: "Tea" }, { tag: "news", label: "News" }],
  fields,
};

function missing(german: object, form: object = {}, all: object = {}) {
  const settings = SettingsSchema.parse(
    {
      forms: { forms: [{ ...club, ...form }] },
      form: {
        interests: [{ tag: "news", label: "News" }],
        locales: {
          de: { interests: [{ tag: "news", label: "Neues" }], ...all, forms: [{ name: "club", ...german }] },
        },
      },
    } satisfies PartialSettings,
  );
  return missingTexts(settings, { name: "club" }, "de").map((each) => Object.values(each)[0]);
}

Deno.test("every text that was written for a form and is shown is missing in a language until it has it there", () => {
  assert.deepEqual(missing({ button: "Los" }), [
    "heading",
    "emailLabel",
    "success",
    "interests",
    "size",
    "size",
    "size",
    "size",
  ]);
  const shown = { countdown: "2036-07-01T09:00", consent: "optional" };
  assert.deepEqual(missing({ heading: "Verein" }, shown).slice(0, 2), ["countdownAfter", "consentText"]);
  const translated = {
    heading: "Verein",
    texts: { emailLabel: "E-Mail", success: "Danke" },
    interests: [{ tag: "tea", label: "Tee" }],
    fields: [{ name: "size", label: "Größe", options: [{ value: "Small", label: "Klein" }] }],
  };
  assert.deepEqual(missing(translated), ["size", "size"]);
  const rest = {
    fields: [{ name: "size", help: "Der Hemden", options: [{ value: "Large", label: "Groß" }] }],
  };
  assert.deepEqual(missing(translated, {}, rest), [], "the defaults have the rest");
});

Deno.test("a form without a text of its own lacks none, because the default ones are in every language", () => {
  const none = Object.fromEntries(Object.keys(club).map((name) => [name, undefined]));
  assert.deepEqual(missing({ heading: "Verein" }, { ...none, name: "club" }), []);
});
