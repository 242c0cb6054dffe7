import assert from "node:assert/strict";
import { type AttributeName, readAttributes } from "./attributes.ts";

/** Reads a form's attributes, and what was warned of. */
function read(written: Partial<Record<AttributeName, string>>) {
  const warnings: string[] = [];
  const attributes = readAttributes((name) => written[name] ?? null, (message) => warnings.push(message));
  return { attributes, warnings };
}

Deno.test("what a page leaves out is undefined, and nobody is warned", () => {
  const { attributes, warnings } = read({});
  assert.ok(Object.values(attributes).every((value) => value === undefined));
  assert.deepEqual(warnings, []);
});

Deno.test("good values are taken as they are; an empty heading is a heading that is not shown", () => {
  const written = {
    form: "footer",
    source: "promo",
    cfg: "p.s",
    heading: "",
    locale: "pt-BR",
    theme: "dark",
    loading: "eager",
    "success-url": "/thanks?x=1",
  };
  const { attributes, warnings } = read(written);
  assert.deepEqual({ ...attributes }, { ...written, text: undefined, button: undefined });
  assert.deepEqual(warnings, []);
});

Deno.test("a wrong value counts as none and warns once, with a prefix", () => {
  for (const times of [1, 0]) {
    const { attributes, warnings } = read({ theme: "gloomy", form: "footer" });
    assert.equal(attributes.theme, undefined);
    assert.equal(attributes.form, "footer");
    assert.equal(warnings.length, times);
    assert.ok(warnings.every((warning) => warning.startsWith("[cfbe] ")));
  }
});

Deno.test("the popup's source is not for a page to claim", () => {
  assert.equal(read({ source: "popup" }).attributes.source, undefined);
});

Deno.test("success-url takes addresses of the web, and no script, however it is disguised", () => {
  for (const good of ["https://shop.example/thanks", "/thanks", "thanks.html", "?thanks", "//shop.example"]) {
    assert.equal(read({ "success-url": good }).attributes["success-url"], good);
  }
  for (
    const bad of ["javascript:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x"]
  ) {
    assert.equal(read({ "success-url": bad }).attributes["success-url"], undefined, bad);
  }
});
