import assert from "node:assert/strict";
import { settingsPath } from "./context.ts";

Deno.test("settings are asked for in a locale", () => {
  assert.equal(settingsPath("pt-BR"), "/cfbe.json?locale=pt-BR");
});

Deno.test("a lang attribute that is no tag can't add to the address", () => {
  assert.equal(settingsPath("de&x=1#y"), "/cfbe.json?locale=de%26x%3D1%23y");
});
