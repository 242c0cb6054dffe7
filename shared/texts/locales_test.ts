import assert from "node:assert/strict";
import fc from "fast-check";
import { directionOf, matchLocale } from "./locales.ts";

const available = ["pt-BR", "de-AT", "en", "de", "fr"];
const matches: [wanted: string[], found: string][] = [
  [["de"], "de"],
  [["de-CH"], "de"],
  [["DE-at"], "de-AT"],
  [["pt"], "pt-BR"],
  [["pt-PT"], "pt-BR"],
  [["xx", "fr-CA", "de"], "fr"],
  [["en-GB", "de"], "en"],
  [["*"], "en"],
  [["deu"], "en"],
  [[""], "en"],
  [[], "en"],
];
for (const [wanted, found] of matches) {
  Deno.test(`of ${available}, who wants ${wanted.join(", ") || "nothing"} gets ${found}`, () => {
    assert.equal(matchLocale(wanted, available), found);
  });
}

Deno.test("whatever is wanted, something that is there is given", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string()),
      (wanted) => assert.ok(available.includes(matchLocale(wanted, available))),
    ),
  );
});

Deno.test("Arabic, Hebrew and Persian run from right to left, whatever the region", () => {
  for (const locale of ["ar", "ar-EG", "he", "fa-IR", "ur"]) assert.equal(directionOf(locale), "rtl");
  for (const locale of ["en", "de", "arn", "hi", "pt-BR"]) assert.equal(directionOf(locale), "ltr");
});
