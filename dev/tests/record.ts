/**
 * Loaded before each test file: appends a line to the file that `CFBE_TEST_RECORD` names for each program that a test
 * starts and for each page that it opens, so that the budgets of `deno task test` can be checked.
 */
const path = Deno.env.get("CFBE_TEST_RECORD");

export function record(what: "program" | "page"): void {
  if (path) Deno.writeTextFileSync(path, `${what}\n`, { append: true });
}

if (path) {
  const { Command } = Deno;
  Deno.Command = class extends Command {
    override spawn() {
      record("program");
      return super.spawn();
    }
    override output() {
      record("program");
      return super.output();
    }
    override outputSync() {
      record("program");
      return super.outputSync();
    }
  };
}
