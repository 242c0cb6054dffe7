import assert from "node:assert/strict";
import { isOtherStyle, lacksFrenchSpace, STYLED_LOCALES } from "../testing/text_style.ts";
import { en } from "./en.ts";
import { LANGUAGES, LOCALES } from "./locales.ts";
import type { Language } from "./texts.ts";

const PLACEHOLDER = /\{\w+\}/g;

/** Returns the texts of a language by their path, such as `form.heading`. */
function textsByPath(language: Language): Map<string, string> {
  return new Map(
    Object.entries(language).flatMap(([group, texts]) =>
      Object.entries(texts as Record<string, string>).map(([name, text]) =>
        [`${group}.${name}`, text] as const
      )
    ),
  );
}

const english = textsByPath(en);

for (const [locale, language] of Object.entries(LANGUAGES)) {
  const texts = textsByPath(language);

  Deno.test(`${locale} has every text, with the same placeholders as English`, () => {
    assert.deepEqual([...texts.keys()], [...english.keys()]);
    for (const [path, text] of texts) {
      assert.ok(text.trim() === text && text !== "", path);
      assert.deepEqual(text.match(PLACEHOLDER), english.get(path)!.match(PLACEHOLDER), path);
    }
  });

  Deno.test(`no long text of ${locale} is left untranslated`, () => {
    if (locale === "en") return;
    const untranslated = [...texts].filter(([path, text]) => text.length > 20 && text === english.get(path));
    assert.deepEqual(untranslated, []);
  });
}

Deno.test("French has a no-break space before each ?, !, ; and :", () => {
  const wrong = [...textsByPath(LANGUAGES["fr"]!)].filter(([, text]) => lacksFrenchSpace(text));
  assert.deepEqual(wrong, []);
});

for (const locale of STYLED_LOCALES) {
  Deno.test(`every text of ${locale} addresses visitors in the same style`, () => {
    assert.deepEqual(
      [...textsByPath(LANGUAGES[locale]!)].filter(([, text]) => isOtherStyle(locale, text)),
      [],
    );
  });
}

Deno.test("every file of a language is in the table of languages", async () => {
  const files = await Array.fromAsync(Deno.readDir(new URL("./", import.meta.url)));
  const locales = files.map(({ name }) => /^([a-z]{2,3}(?:-[A-Z]{2})?)\.ts$/.exec(name)?.[1]);
  assert.deepEqual(locales.filter((locale) => locale !== undefined).sort(), [...LOCALES].sort());
});
