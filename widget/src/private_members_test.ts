import assert from "node:assert/strict";
import { PRIVATE_MEMBERS } from "./private_members.ts";

const WIDGET = new URL("./", import.meta.url);
const SHARED = new URL("../../shared/", WIDGET);

/** Returns the TypeScript sources in a folder that become part of the widget, by URL. */
function sources(folder: URL): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const url = new URL(name, folder);
    if (isDirectory && name !== "testing" && name !== "texts") {
      Object.assign(found, sources(new URL(`${url}/`)));
    } else if (/(?<!_test)\.tsx?$/.test(name)) found[url.href] = Deno.readTextFileSync(url);
  }
  return found;
}

/** What pages, the browser and the server call things. */
const PUBLIC = [
  new URL("types.ts", WIDGET),
  new URL("form/attributes.ts", WIDGET),
  new URL("contract.ts", SHARED),
  new URL("public_settings.ts", SHARED),
  new URL("signup_page.ts", SHARED),
  new URL("texts/en.ts", SHARED),
  new URL("lib.dom.d.ts", import.meta.resolve("typescript")),
];

Deno.test("no member with a shortened name belongs to a page, the browser or the server", () => {
  for (const file of PUBLIC) {
    const members = new Set(Deno.readTextFileSync(file).match(/[\w$]+(?=\??[:(<])/g));
    assert.deepEqual(PRIVATE_MEMBERS.filter((name) => members.has(name)), [], file.pathname);
  }
});

Deno.test("no string names a member whose name the build shortens", () => {
  const files = Object.entries({ ...sources(WIDGET), ...sources(SHARED) });
  assert.ok(files.length > 100);
  for (const [url, code] of files) {
    if (url.endsWith("/private_members.ts")) continue;
    // Also lists of words, which are split.
    const words = [...code.matchAll(/(["'`])([\w$ ]+)\1/g)].flatMap(([, , text]) => text!.split(" "));
    const strings = new Set(words);
    assert.deepEqual(PRIVATE_MEMBERS.filter((name) => strings.has(name)), [], url);
  }
});
