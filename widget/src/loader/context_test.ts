import assert from "node:assert/strict";
import { settingsUrl } from "./context.ts";

Deno.test("settings are asked for below the server's root, also under a path prefix", () => {
  assert.equal(settingsUrl("https://a.example", "de"), "https://a.example/cfbe.json?locale=de");
  assert.equal(
    settingsUrl("https://a.example/news", "pt-BR"),
    "https://a.example/news/cfbe.json?locale=pt-BR",
  );
});

Deno.test("a lang attribute that is no tag can't add to the address", () => {
  assert.equal(
    settingsUrl("https://a.example", "de&x=1#y"),
    "https://a.example/cfbe.json?locale=de%26x%3D1%23y",
  );
});
