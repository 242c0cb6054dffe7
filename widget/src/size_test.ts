import assert from "node:assert/strict";
import { brotliCompressSync, constants } from "node:zlib";

const DIST = new URL("../dist/", import.meta.url);

function read(path: string): string {
  try {
    return Deno.readTextFileSync(new URL(path, DIST));
  } catch {
    throw new Error("The widget is not built: run `deno task build`.");
  }
}

/** Returns the total size of files in bytes, each compressed with Brotli like the server does. */
function compressedSize(...files: string[]): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  return files.reduce((sum, file) => sum + brotliCompressSync(read(file), { params }).length, 0);
}

/**
 * Returns the path of a part's file. Asserts that the loader imports this version, and that the file has no imports.
 */
function part(name: string): string {
  const [file] = [...Deno.readDirSync(new URL("cfbe/", DIST))].map((entry) => `cfbe/${entry.name}`)
    .filter((path) => path.startsWith(`cfbe/${name}-`));
  assert.ok(file, `the part ${name} is missing`);
  assert.ok(read("cfbe.js").includes(file.slice(-11, -3)), `the loader imports another version of ${name}`);
  assert.ok(!/\bfrom\s*[`"']|\bimport\s*[`"'(]/.test(read(file)), `${file} imports code that is not counted`);
  return file;
}

const BUDGETS: [what: string, files: () => string[], kilobytes: number][] = [
  ["the loader", () => ["cfbe.js"], 2],
  ["an own-markup form with the loader", () => ["cfbe.js", part("own")], 3.65],
  ["the code that marks fields of an own-markup form", () => [part("errors")], 0.5],
  ["the form with Preact, signals and styles", () => [part("form")], 10],
  ["the code for a form's design", () => [part("design")], 2.3],
  ["the code for forms in two steps", () => [part("steps")], 0.8],
  ["the code for countdowns", () => [part("countdown")], 0.8],
  ["the fields that are not in the contract", () => [part("fields")], 4],
  ["the code for address suggestions", () => [part("mail")], 1],
  ["the code for tokens of caches and for challenges", () => [part("token")], 1.4],
  ["the popup without the form", () => [part("popup")], 2.65],
  ["the code that keeps the place of the scroll bar", () => [part("gutter")], 0.4],
  ["a slide-in without the form", () => [part("slide")], 2.5],
  ["a bar without the form", () => [part("bar")], 2.5],
  ["the code that keeps slide-ins and bars out of the way", () => [part("beside")], 1.1],
  ["the code that opens several forms", () => [part("openings")], 0.75],
  ["the popup's rules", () => [part("rules")], 2.55],
  ["the targeting of forms", () => [part("targeting")], 1.5],
  ["the triggers that few forms have", () => [part("triggers")], 0.6],
  ["what a form in the page needs for its targeting", () => [part("placed")], 0.8],
  ["the code that draws variants and finds forms that are off", () => [part("variants")], 0.7],
  ["the block and promo layouts", () => [part("layout")], 1.5],
  ["the code that listens to cookie banners", () => [part("banners")], 0.5],
  ["the code that reads the page of a signup", () => [part("page")], 0.45],
  ["the code that remembers where a visit came from", () => [part("visit")], 0.4],
  ["the checkout", () => [part("checkout")], 1.5],
  ["a headless signup with the loader", () => ["cfbe.js", part("headless")], 3.15],
];

for (const [what, files, kilobytes] of BUDGETS) {
  Deno.test(`the size budget of ${what} is ${kilobytes} KB`, () => {
    const bytes = compressedSize(...files());
    assert.ok(bytes <= kilobytes * 1024, `${bytes} bytes of ${kilobytes * 1024}`);
  });
}

Deno.test("the loader is a classic script that defines no globals", () => {
  const code = read("cfbe.js");
  assert.match(code, /^\(\(\)=>\{/);
  assert.doesNotMatch(code, /import\.meta|%\w+%|importChunk/);
});
