import assert from "node:assert/strict";
import type { Command } from "commander";
import { createProgram } from "./program.ts";
import { everyCommand } from "./run.ts";
import { cfbe, runningService } from "./testing/cli.ts";

const page = (name: string) => Deno.readTextFileSync(new URL(`../../docs/${name}`, import.meta.url));

/** Returns the usage of every command that does something itself, such as `settings set <path> <value>`. */
function usages(): string[] {
  const found: string[] = [];
  const program = createProgram({} as Parameters<typeof createProgram>[0]);
  everyCommand(program, (command: Command) => {
    if (command.commands.length > 0 && command.registeredArguments.length === 0) return;
    const names: string[] = [];
    for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name());
    const args = command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`
    );
    found.push([...names, ...args].join(" "));
  });
  return found;
}

Deno.test("the documentation lists every command with its arguments, and no other", () => {
  const rows = [...page("command-line.md").matchAll(/^\| `([^`]+)`/gm)].map(([, usage]) => usage!);
  assert.deepEqual(rows.toSorted(), usages().toSorted());
});

Deno.test("every command's help has a description and an example, and the main help lists the exit codes", async () => {
  assert.match((await cfbe({}, "--help")).out, /Exit codes: 0 success, 1 .* 2 .* 3 /);
  for (const usage of usages()) {
    const names = usage.split(" ").filter((word) => /^\w/.test(word));
    const { code, out } = await cfbe({}, ...names, "--help");
    assert.equal(code, 0, usage);
    assert.match(out, new RegExp(`Examples?:\n  cfbe ${names[0]}`), usage);
  }
});

Deno.test("every command in the documentation runs against a running service", async () => {
  await using program = await runningService();
  await (await program.subscribe({ email: "ann@example.com" })).body?.cancel();
  await program.runner.idle();
  // The config file of the test program sets this setting.
  const refused = ["settings set privacy.ipSource"];
  const lines = page("command-line.md").match(/(?<=^deno task cfbe )[^#<>\n]+/gm) ?? [];
  assert.ok(lines.length > 5);
  for (const line of lines) {
    const { code, err } = await cfbe(
      { env: program.shell, input: "from standard input" },
      ...line.trim().split(" "),
    );
    const expected = refused.some((start) => line.startsWith(start)) ? 1 : 0;
    assert.equal(code, expected, `${line}: ${err}`);
  }
});
