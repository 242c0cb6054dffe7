import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { EXIT } from "./client/error.ts";
import { cfbe, runningService } from "./testing/cli.ts";

/** Every command that the program or its documentation advises exists and is accepted. */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Values for the placeholders in advised commands. */
const SAMPLE_VALUES = [
  ["${cfbeCommand()}", "deno task cfbe"],
  ["${header}", "x-real-ip"],
  ["<email>", "ann@example.com"],
  ["<file>", "none.backup"],
  ["<id>", "none"],
  ["<name>", "footer"],
  ["<path>", "privacy.ipSource"],
  [
    "$(date +%F)",
    "today",
  ],
] as const;

function* files(folder: string, name: RegExp): Generator<string> {
  for (const entry of Deno.readDirSync(join(ROOT, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* files(path, name);
    else if (name.test(entry.name)) yield path;
  }
}

/** Returns the commands in a text, without the program's name: after `deno task`, in backticks, or after "run:". */
function commandsIn(text: string): string[] {
  const filled = SAMPLE_VALUES.reduce((done, [name, value]) => done.replaceAll(name, value), text);
  const found = filled.match(
    /(?<=deno task cfbe )(?! )[^`"#<>|\\\n]+|(?<=`cfbe )[^`"#<>|\n]+|(?<=[Rr]un: cfbe )[^`"\n]+/g,
  );
  return (found ?? []).map((command) => command.split(/ {2}/)[0]!.trim().replace(/[.,;:]$/, ""));
}

/** Returns the advised commands by file. */
function advice(): Map<string, string[]> {
  const code = [...files("server", /(?<!_test)\.tsx?$/)];
  const pages = [...files("docs", /\.(md|yml)$/), "README.md", "SECURITY.md", "CONTRIBUTING.md"];
  return new Map(
    [...code, ...pages].map((path) => [path, commandsIn(Deno.readTextFileSync(join(ROOT, path)))] as const)
      .filter(([, commands]) => commands.length > 0),
  );
}

Deno.test("the command line accepts every command that the doctor, an error, a page or an alert advises", async () => {
  await using program = await runningService();
  const folder = await Deno.makeTempDir({ prefix: "cfbe-advice-" });
  const advised = advice();
  try {
    for (
      const path of [
        "server/operations/checks/modules.ts",
        "server/operations/database/salts.ts",
        "docs/operate/alerts.yml",
      ]
    ) {
      assert.ok(advised.has(path), path);
    }
    for (const [path, commands] of advised) {
      for (const command of commands) {
        const args = command.split(/\s+/).map((arg) => arg.replace(/^.*\.backup$/, `${folder}/$&`));
        // It serves until its input ends.
        if (args[0] === "mcp") continue;
        const { code, err } = await cfbe({ env: program.shell, answer: false }, ...args);
        assert.notEqual(code, EXIT.usage, `${path}: cfbe ${command}: ${err}`);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("every text with a command begins it with what starts the command line here", () => {
  for (const path of files("server", /(?<!_test)\.tsx?$/)) {
    const lines = Deno.readTextFileSync(join(ROOT, path)).split("\n");
    for (const line of lines.filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))) {
      const command =
        /(?<!deno task )\bcfbe (?:jobs|settings|lists|activate|restore|salt|doctor|provider|users|webhook (?:register|secret)) /;
      assert.doesNotMatch(line, command, path);
    }
  }
});
