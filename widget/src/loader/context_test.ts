import assert from "node:assert/strict";
import { settingsPath } from "./context.ts";

Deno.test("the path of the settings contains the locale", () => {
  assert.equal(settingsPath("pt-BR"), "/cfbe.json?locale=pt-BR");
});

Deno.test("an invalid lang attribute cannot add parameters to the URL", () => {
  assert.equal(settingsPath("de&x=1#y"), "/cfbe.json?locale=de%26x%3D1%23y");
});
