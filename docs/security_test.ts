/** Tests that what the pages about security name as proof exists. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("./", import.meta.url));

for (const page of ["security.md", "asvs.md"]) {
  Deno.test(`every file that ${page} links to exists, and most are tests`, () => {
    const text = Deno.readTextFileSync(FOLDER + page);
    const files = [...text.matchAll(/\]\((?!https:)([\w./-]+)/g)].map(([, path]) => path!);
    assert.deepEqual(files.filter((path) => !existsSync(FOLDER + path)), []);
    assert.ok(files.filter((path) => path.endsWith("_test.ts")).length >= 15);
  });
}
