import assert from "node:assert/strict";
import { en } from "./en.ts";
import { LOCALES } from "./locales.ts";
import type { Texts } from "./texts.ts";

const PLACEHOLDER = /\{\w+\}/g;

for (const [locale, texts] of Object.entries(LOCALES)) {
  Deno.test(`${locale} has every text, with the same placeholders as English`, () => {
    assert.deepEqual(Object.keys(texts), Object.keys(en));
    for (const [key, text] of Object.entries(texts)) {
      assert.ok(text.trim() === text && text !== "", key);
      assert.deepEqual(text.match(PLACEHOLDER), en[key as keyof Texts].match(PLACEHOLDER), key);
    }
  });

  Deno.test(`no long text of ${locale} is left untranslated`, () => {
    if (locale === "en") return;
    const untranslated = Object.entries(texts).filter(([key, text]) =>
      text.length > 20 && text === en[key as keyof Texts]
    );
    assert.deepEqual(untranslated, []);
  });
}
