import assert from "node:assert/strict";
import { cfbe, runningService, withFolder } from "../testing/cli.ts";

Deno.test("the doctor reports a stopped service, an invalid database and invalid configuration, and exits with 1", () =>
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
      "this is not a database, but it is long enough to be read as one",
    );
    assert.deepEqual(await ids(env), ["database.unusable"]);
    const report = await cfbe({ env }, "doctor");
    const status = await cfbe({ env }, "status", "ann@example.com");
    assert.deepEqual([status.code, /^The database .* can't be opened/.test(status.err)], [1, true]);
    assert.match(report.out, /^FAIL: The database .* can't be opened[^]*Why it matters[^]*What to do/);
  }));

Deno.test("the doctor exits with 0 for a healthy service", async () => {
  await using program = await runningService();
  const { code, out } = await cfbe({ env: program.shell }, "doctor");
  assert.equal(code, 0, out);
  assert.match(out, /OK +the API key works/);
});
