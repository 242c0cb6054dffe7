import assert from "node:assert/strict";
import { LANGUAGES, LOCALES } from "../../../shared/texts/locales.ts";
import { pageTexts } from "./pages.tsx";

Deno.test("the pages that links in a cart reminder open are in every language of the forms", () => {
  for (const locale of LOCALES) {
    assert.deepEqual(pageTexts([locale, "en"]), { locale, ...LANGUAGES[locale]!.cart });
  }
});
