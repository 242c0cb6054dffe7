import assert from "node:assert/strict";
import { cfbe, runningService, withFolder } from "../testing/cli.ts";

Deno.test("the doctor finds that no service runs, that a database is none, and wrong configuration, with exit code 1", () =>
  withFolder(async (env) => {
    const ids = async (shell: Record<string, string>) => {
      const { code, out } = await cfbe({ env: shell }, "doctor", "--json");
      assert.equal(code, 1);
      return JSON.parse(out).findings.map(({ id }: { id: string }) => id);
    };
    assert.deepEqual(await ids(env), ["service.not_running", "address.unreachable"]);
    assert.deepEqual(await ids({ PORT: "nine" }), ["config"]);
    await Deno.writeTextFile(
      env["CFBE_KV"]!,
      "this is no database, but it is long enough to be looked at as one",
    );
    assert.deepEqual(await ids(env), ["database.unusable"]);
    const told = await cfbe({ env }, "doctor");
    const status = await cfbe({ env }, "status", "ann@example.com");
    assert.deepEqual([status.code, /^The database .* can't be opened/.test(status.err)], [1, true]);
    assert.match(told.out, /^WRONG: The database .* can't be opened[^]*Why it matters[^]*What to do/);
  }));

Deno.test("a service that is well is told so, with exit code 0", async () => {
  await using program = await runningService();
  const { code, out } = await cfbe({ env: program.shell }, "doctor");
  assert.equal(code, 0, out);
  assert.match(out, /well: the API key opens the project/);
});
