import assert from "node:assert/strict";
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
  // Not in an address, such as https://.
  const wrong = [...textsByPath(LANGUAGES["fr"]!)].filter(([, text]) =>
    /[^\u202f][?!;]|[^\u00a0]:(?!\/)/.test(text)
  );
  assert.deepEqual(wrong, []);
});

/** Words of the style that the texts of a language do not have: formal or informal. */
const OTHER_STYLE: Record<string, string> = {
  de: "du dir dich dein deine deinem deinen deiner",
  es: "usted su sus haga revise elija escriba mire",
  fr: "tu toi ton ta tes saisis choisis regarde",
  it: "lei suo sua controlli inserisca scelga",
  nl: "je jij jou jouw",
  pt: "você tu teu tua tens",
  "pt-BR": "tu teu tua",
  sv: "ni er ert",
};

for (const [locale, words] of Object.entries(OTHER_STYLE)) {
  Deno.test(`every text of ${locale} addresses visitors in the same style`, () => {
    const other = new RegExp(`(?<!\\p{L})(?:${words.replaceAll(" ", "|")})(?!\\p{L})`, "iu");
    assert.deepEqual([...textsByPath(LANGUAGES[locale]!)].filter(([, text]) => other.test(text)), []);
  });
}

Deno.test("every file of a language is in the table of languages", async () => {
  const files = await Array.fromAsync(Deno.readDir(new URL("./", import.meta.url)));
  const locales = files.map(({ name }) => /^([a-z]{2,3}(?:-[A-Z]{2})?)\.ts$/.exec(name)?.[1]);
  assert.deepEqual(locales.filter((locale) => locale !== undefined).sort(), [...LOCALES].sort());
});
