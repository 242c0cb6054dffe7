import assert from "node:assert/strict";
import { en } from "./en.ts";
import { LOCALES } from "./locales.ts";
import type { Texts } from "./texts.ts";

const PLACE = /\{\w+\}/g;

for (const [locale, texts] of Object.entries(LOCALES)) {
  Deno.test(`every text is there in ${locale}, with its places to fill in`, () => {
    assert.deepEqual(Object.keys(texts), Object.keys(en));
    for (const [key, text] of Object.entries(texts)) {
      assert.ok(text.trim() === text && text !== "", key);
      assert.deepEqual(text.match(PLACE), en[key as keyof Texts].match(PLACE), key);
    }
  });

  Deno.test(`no text of ${locale} was forgotten in English`, () => {
    if (locale === "en") return;
    const english = Object.entries(texts).filter(([key, text]) =>
      text.length > 20 && text === en[key as keyof Texts]
    );
    assert.deepEqual(english, []);
  });
}
