import assert from "node:assert/strict";
import { LOCALES } from "../../../shared/texts/locales.ts";
import { codeHeading, codeIn } from "./one_code.ts";

Deno.test("every language says a code in words of its own, and it is found in them again", () => {
  const headings = LOCALES.map((locale) => codeHeading(locale, "TEA10"));
  assert.deepEqual(LOCALES.filter((locale) => codeIn(locale, codeHeading(locale, "TEA10")) !== "TEA10"), []);
  assert.equal(headings.filter((heading) => heading === codeHeading("en", "TEA10")).length, 1);
});
