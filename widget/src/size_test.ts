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

/** Bytes that cross the network for some files, each compressed on its own as a server does it. */
function weigh(...files: string[]): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  return files.reduce((sum, file) => sum + brotliCompressSync(read(file), { params }).length, 0);
}

/** The file of a part, as the loader asks for it. */
function part(name: string): string {
  const [file] = [...Deno.readDirSync(new URL("cfbe/", DIST))].map((entry) => `cfbe/${entry.name}`)
    .filter((path) => path.startsWith(`cfbe/${name}-`));
  assert.ok(file, `there is no part ${name}`);
  assert.ok(read("cfbe.js").includes(file.slice(-11, -3)), `the loader asks for another ${name}`);
  assert.ok(!/\bfrom\s*[`"']|\bimport\s*[`"'(]/.test(read(file)), `${file} loads more, which is not counted`);
  return file;
}

const BUDGETS: [what: string, files: () => string[], kilobytes: number][] = [
  ["the loader", () => ["cfbe.js"], 2],
  ["an own-markup form with its loader", () => ["cfbe.js", part("own")], 3.5],
  ["what an own-markup form adds when a signup is refused", () => [part("marks")], 0.5],
  ["the form with Preact, signals and styles", () => [part("form")], 10],
  ["what the form adds when the visitor types", () => [part("mail")], 1],
  ["what settles a doubt about a token", () => [part("doubt")], 0.5],
  ["the popup on top of the form", () => [part("popup")], 2.5],
  ["what decides when the popup is due", () => [part("rules")], 2.5],
  ["what the layouts block and promo add", () => [part("layout")], 1.5],
  ["the checkout", () => [part("checkout")], 1.5],
  ["a headless signup with its loader", () => ["cfbe.js", part("headless")], 3],
];

for (const [what, files, kilobytes] of BUDGETS) {
  Deno.test(`${what} weighs at most ${kilobytes} KB`, () => {
    const bytes = weigh(...files());
    assert.ok(bytes <= kilobytes * 1024, `${bytes} bytes of ${kilobytes * 1024}`);
  });
}

Deno.test("the loader is a classic script that leaves no name behind", () => {
  const code = read("cfbe.js");
  assert.match(code, /^\(\(\)=>\{/);
  assert.doesNotMatch(code, /import\.meta|%\w+%|importChunk/);
});
