import assert from "node:assert/strict";
import fc from "fast-check";
import { directionOf, lineageOf, LOCALES, matchLocale } from "./locales.ts";

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
  [["deu"], "de"],
  [["x-none", "fr"], "fr"],
  [[""], "en"],
  [[], "en"],
];
for (const [preferred, match] of matches) {
  Deno.test(`the best match for ${JSON.stringify(preferred)} is ${match}`, () => {
    assert.equal(matchLocale(preferred, available), match);
  });
}

const builtIn: [preferred: string[], match: string][] = [
  [["zh"], "zh-CN"],
  [["zh-SG"], "zh-CN"],
  [["zh-Hans"], "zh-CN"],
  [["zh-Hans-HK"], "zh-CN"],
  [["zh-HK"], "zh-TW"],
  [["zh-MO"], "zh-TW"],
  [["zh_TW"], "zh-TW"],
  [["zh-Hant"], "zh-TW"],
  [["zh-Hant-CN"], "zh-TW"],
  [["no"], "nb"],
  [["nn-NO", "en"], "nb"],
  [["nb-NO"], "nb"],
  [["pt-AO"], "pt"],
  [["pt-BR"], "pt-BR"],
];
for (const [preferred, match] of builtIn) {
  Deno.test(`the built-in texts for ${JSON.stringify(preferred)} are those of ${match}`, () => {
    assert.equal(matchLocale(preferred, LOCALES), match);
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

const lineages: [locale: string, own: string[], others: string[]][] = [
  ["de-AT", ["de-CH", "de-AT"], ["de"]],
  ["de-AT", [], ["de"]],
  ["de", ["de-AT"], []],
  ["pt-AO", ["pt-BR", "pt-AO"], ["pt"]],
  ["pt-BR", ["pt"], []],
  ["zh-HK", ["zh", "zh-MO", "zh-HK"], ["zh-TW"]],
  ["zh-HK", ["zh-HK", "zh-Hant"], ["zh-Hant", "zh-TW"]],
  ["hi-PK", ["hi-IN", "hi-PK", "hi"], ["hi"]],
  ["hi", ["hi-IN", "hi"], []],
  ["hi-PK", ["hi-IN", "hi-PK"], ["hi-IN"]],
  ["hi-IN", ["hi-IN", "hi-PK"], ["hi-PK"]],
  ["nn", ["nn"], ["nb"]],
  ["eo", ["eo", "en"], []],
];
for (const [locale, own, others] of lineages) {
  const those = others.length > 0 ? `those of ${others.join(", else of ")}` : "nobody's";
  Deno.test(`with texts in ${own.join(", ") || "no other language"}, those that ${locale} lacks are ${those}`, () => {
    assert.deepEqual(lineageOf(locale, [...new Set([...own, ...LOCALES])]), [locale, ...others]);
  });
}

Deno.test("Arabic, Hebrew, Persian and Urdu are right to left in every region", () => {
  for (const locale of ["ar", "ar-EG", "he", "fa-IR", "ur"]) assert.equal(directionOf(locale), "rtl");
  for (const locale of ["en", "de", "arn", "hi", "pt-BR"]) assert.equal(directionOf(locale), "ltr");
});
