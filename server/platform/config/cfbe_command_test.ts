import assert from "node:assert/strict";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { commandIn } from "./cfbe_command.ts";

/** Writes the files of an installation. */
async function installation(files: Record<string, string>): Promise<URL> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-command-" });
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(`${folder}/${path}`), { recursive: true });
    await Deno.writeTextFile(`${folder}/${path}`, text);
  }
  return pathToFileURL(`${folder}/`);
}

Deno.test("advice names the command that works in this installation: a checkout, one machine in production, a container, and the one in CFBE_COMMAND", async () => {
  const source = { "deno.json": "{ all packages }", "production.json": "{ fewer }" };
  const cases = [
    [{ ...source, "node_modules/vite/package.json": "" }, "deno task cfbe"],
    [source, "deno task --config production.json cfbe"],
    // `deno task production:deploy` replaces deno.json.
    [{ ...source, "deno.json": "{ fewer }" }, "deno task cfbe"],
    [{}, "deno task cfbe"],
  ] as const;
  for (const [files, command] of cases) {
    const root = await installation(files);
    try {
      assert.equal(commandIn(root, ""), command);
      assert.equal(commandIn(root, "cfbe"), "cfbe");
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  }
});
