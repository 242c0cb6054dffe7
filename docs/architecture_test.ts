/** Tests that ARCHITECTURE.md describes the code as it is. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const page = Deno.readTextFileSync(`${ROOT}ARCHITECTURE.md`);

const foldersIn = (parent: string) =>
  [...Deno.readDirSync(ROOT + parent)].filter(({ isDirectory, name }) =>
    isDirectory && !["screenshots", "testing", "assets", "node_modules"].includes(name)
  ).map(({ name }) => `${parent}/${name}`);

for (const parent of ["server", ...foldersIn("server"), "widget/src", "e2e"]) {
  Deno.test(`ARCHITECTURE.md describes every folder in ${parent}/`, () => {
    const missing = foldersIn(parent).filter((path) =>
      !new RegExp(`^\\|[^|]*\`${path}/\`[^|]*\\| +\\S`, "m").test(page)
    );
    assert.deepEqual(missing, []);
  });
}

Deno.test("every path that ARCHITECTURE.md links to or writes as code exists", () => {
  const paths = page.match(/(?<=`)[\w.-]+\/[\w./-]*(?=`)|(?<=\]\()[\w./-]+(?=\))/g)!;
  assert.ok(paths.length > 80);
  assert.deepEqual(paths.filter((path) => !existsSync(ROOT + path)), []);
});
