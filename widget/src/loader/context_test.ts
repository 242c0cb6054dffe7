import assert from "node:assert/strict";
import { createContext } from "./context.ts";

/** Returns the URL from which the settings of a locale are fetched. */
async function settingsUrl(locale: string): Promise<string> {
  const { fetch } = globalThis;
  let url = "";
  globalThis.fetch = (input) => {
    url = String(input);
    return Promise.resolve(Response.json({ texts: {} }));
  };
  try {
    await createContext("https://news.example", "none").settings(locale);
  } finally {
    globalThis.fetch = fetch;
  }
  return url;
}

Deno.test("the URL of the settings contains the locale", async () => {
  assert.equal(await settingsUrl("pt-BR"), "https://news.example/cfbe.json?locale=pt-BR");
});

Deno.test("an invalid lang attribute cannot add parameters to the URL", async () => {
  assert.equal(await settingsUrl("de&x=1#y"), "https://news.example/cfbe.json?locale=de%26x%3D1%23y");
});
