import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readFragments } from "../release/changelog.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

Deno.test("every changelog fragment is well formed, and its links start at the root of the repository", () => {
  for (const { area, name, text, whatToDo = "" } of readFragments(ROOT)) {
    for (const [, target] of `${text} ${whatToDo}`.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)) {
      assert.ok(existsSync(ROOT + target), `changelog.d/${area}/${name}: ${target} does not exist`);
    }
  }
});

Deno.test("changes without a release are fragments, and not in CHANGELOG.md", () => {
  const headings = Deno.readTextFileSync(`${ROOT}CHANGELOG.md`).match(/^## .*$/gm) ?? [];
  assert.deepEqual(headings.filter((heading) => !/^## \d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)$/.test(heading)), []);
});
