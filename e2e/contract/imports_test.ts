/** Tests that the suite knows the program only from outside. */
import assert from "node:assert/strict";
import ts from "typescript";

const FOLDER = new URL("./", import.meta.url);
/** What a module here may import: packages, the modules beside it, and a free port. */
const ALLOWED = /^(node:|typescript$|\.\/[a-z_]+\.ts$|\.\.\/\.\.\/dev\/free_port\.ts$)/;

Deno.test("no module of the suite imports anything of the program, directly or indirectly", async () => {
  const files = [...Deno.readDirSync(FOLDER)].map(({ name }) => new URL(name, FOLDER));
  for (const file of [...files, new URL("../../dev/free_port.ts", FOLDER)]) {
    const { importedFiles } = ts.preProcessFile(await Deno.readTextFile(file));
    for (const { fileName } of importedFiles) {
      assert.match(fileName, ALLOWED, `${file.pathname} imports ${fileName}`);
    }
  }
});
