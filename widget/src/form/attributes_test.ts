import assert from "node:assert/strict";
import { type AttributeName, readAttributes } from "./attributes.ts";

/** Reads a form's attributes and collects the warnings. */
function read(values: Partial<Record<AttributeName, string>>) {
  const warnings: string[] = [];
  const attributes = readAttributes((name) => values[name] ?? null, (message) => warnings.push(message));
  return { attributes, warnings };
}

Deno.test("absent attributes are undefined and cause no warning", () => {
  const { attributes, warnings } = read({});
  assert.ok(Object.values(attributes).every((value) => value === undefined));
  assert.deepEqual(warnings, []);
});

Deno.test("valid values are returned unchanged, including an empty heading, which hides it", () => {
  const values = {
    form: "footer",
    source: "promo",
    cfg: "p.s",
    heading: "",
    locale: "pt-BR",
    theme: "dark",
    loading: "eager",
    "success-url": "/thanks?x=1",
  };
  const { attributes, warnings } = read(values);
  assert.deepEqual({ ...attributes }, { ...values, text: undefined, button: undefined });
  assert.deepEqual(warnings, []);
});

Deno.test("an invalid value is ignored, with one warning that starts with [cfbe]", () => {
  for (const times of [1, 0]) {
    const { attributes, warnings } = read({ theme: "gloomy", form: "footer" });
    assert.equal(attributes.theme, undefined);
    assert.equal(attributes.form, "footer");
    assert.equal(warnings.length, times);
    assert.ok(warnings.every((warning) => warning.startsWith("[cfbe] ")));
  }
});

Deno.test("a page cannot claim the popup's source", () => {
  assert.equal(read({ source: "popup" }).attributes.source, undefined);
});

Deno.test("success-url accepts web URLs and rejects disguised scripts", () => {
  for (
    const valid of ["https://shop.example/thanks", "/thanks", "thanks.html", "?thanks", "//shop.example"]
  ) {
    assert.equal(read({ "success-url": valid }).attributes["success-url"], valid);
  }
  for (
    const invalid of [
      "javascript:alert(1)",
      " javascript:alert(1)",
      "java\tscript:alert(1)",
      "data:text/html,x",
    ]
  ) {
    assert.equal(read({ "success-url": invalid }).attributes["success-url"], undefined, invalid);
  }
});
