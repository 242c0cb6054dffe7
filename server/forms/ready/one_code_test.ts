import assert from "node:assert/strict";
import { LOCALES } from "../../../shared/texts/locales.ts";
import { codeHeading, codeIn } from "./one_code.ts";

Deno.test("every language says a code in words of its own, and it is found in them again", () => {
  const heading = (locale: string) => codeHeading(locale, "TEA10");
  assert.deepEqual(LOCALES.filter((locale) => codeIn(locale, heading(locale)) !== "TEA10"), []);
  assert.deepEqual(LOCALES.filter((locale) => heading(locale) === heading("en")), ["en"]);
});
