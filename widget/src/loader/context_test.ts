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

/** Returns the locales of an element in a page. */
function locales(
  { own, script, closest, page, visitor = ["en-US", "en"] }:
    & Partial<
      Record<"own" | "script" | "closest" | "page", string>
    >
    & { visitor?: string[] },
): string {
  const names = { document: { documentElement: { lang: page ?? "" } }, navigator: { languages: visitor } };
  const before = Object.keys(names).map((name) =>
    [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const
  );
  for (const [name, value] of Object.entries(names)) {
    Object.defineProperty(globalThis, name, { value, configurable: true });
  }
  const element = {
    getAttribute: () => own ?? null,
    closest: () => closest === undefined ? null : { getAttribute: () => closest },
  } as unknown as Element;
  try {
    return createContext("https://news.example", "none", script).locales(element);
  } finally {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
  }
}

Deno.test("the locales of a form are its own, the script's, the closest `lang`, the page's and the visitor's", () => {
  assert.equal(
    locales({ own: "ca", script: "eu", closest: "gl", page: "es", visitor: ["es", "fr"] }),
    "ca,eu,gl,es,es,fr",
  );
  assert.equal(locales({ page: "de", closest: "de" }), "de,de,en-US,en");
  assert.equal(locales({}), "en-US,en");
});
