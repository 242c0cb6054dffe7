import assert from "node:assert/strict";
import fc from "fast-check";
import { directionOf, matchLocale } from "./locales.ts";

const available = ["pt-BR", "de-AT", "en", "de", "fr"];
const matches: [preferred: string[], match: string][] = [
  [["de"], "de"],
  [["de-CH"], "de"],
  [["DE-at"], "de-AT"],
  [["de_AT"], "de-AT"],
  [["fr_FR"], "fr"],
  [["pt"], "pt-BR"],
  [["pt-PT"], "pt-BR"],
  [["xx", "fr-CA", "de"], "fr"],
  [["en-GB", "de"], "en"],
  [["*"], "en"],
  [["deu"], "en"],
  [[""], "en"],
  [[], "en"],
];
for (const [preferred, match] of matches) {
  Deno.test(`the best match for ${JSON.stringify(preferred)} is ${match}`, () => {
    assert.equal(matchLocale(preferred, available), match);
  });
}

Deno.test("the match is always an available locale", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string()),
      (preferred) => assert.ok(available.includes(matchLocale(preferred, available))),
    ),
  );
});

Deno.test("Arabic, Hebrew, Persian and Urdu are right to left in every region", () => {
  for (const locale of ["ar", "ar-EG", "he", "fa-IR", "ur"]) assert.equal(directionOf(locale), "rtl");
  for (const locale of ["en", "de", "arn", "hi", "pt-BR"]) assert.equal(directionOf(locale), "ltr");
});
