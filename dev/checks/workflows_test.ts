import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDER = `${ROOT}.github/workflows`;

const texts = [...Deno.readDirSync(FOLDER)].map(({ name }): [string, string] => [
  name,
  Deno.readTextFileSync(`${FOLDER}/${name}`),
]);

Deno.test("workflows use actions by their hash, with the version as a comment", () => {
  for (const [name, text] of texts) {
    const used = [...text.matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, action]) => action!);
    const loose = used.filter((action) =>
      !action.startsWith("./") && !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)
    );
    assert.deepEqual(loose, [], name);
  }
});

Deno.test("a workflow's token may only read, unless a job says what it writes", () => {
  for (const [name, text] of texts) assert.deepEqual(parse(text).permissions, { contents: "read" }, name);
});

Deno.test("workflows run tasks that exist, with the Deno that the container has", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const [, version] = /FROM denoland\/deno:(\S+)/.exec(await Deno.readTextFile(`${ROOT}Dockerfile`))!;
  for (const [name, text] of texts) {
    for (const [, task] of text.matchAll(/\$DENO task ([\w:]+)/g)) {
      assert.ok(task! in tasks, `${name}: ${task}`);
    }
    assert.equal(parse(text).env.DENO, `npx -y deno@${version}`, name);
  }
});
