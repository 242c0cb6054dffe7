import assert from "node:assert/strict";
import { cfbe, runningService, withFolder } from "../testing/cli.ts";

Deno.test("the doctor reports a stopped service, an invalid database and invalid configuration, and exits with 1", () =>
  withFolder(async (env) => {
    const ids = async (shell: Record<string, string>) => {
      const { code, out } = await cfbe({ env: shell }, "doctor", "--json");
      assert.equal(code, 1);
      return JSON.parse(out).findings.map(({ id }: { id: string }) => id);
    };
    assert.equal((await cfbe({ env }, "settings", "set", "popup.enabled", "false")).code, 0);
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

Deno.test("without a service and a database, a command that only reads says so, and creates nothing", () =>
  withFolder(async (env, folder) => {
    for (
      const command of [["doctor"], ["jobs"], ["users", "list"], ["settings", "get"], ["deactivate", "--yes"]]
    ) {
      const { code, out, err } = await cfbe({ env }, ...command);
      assert.equal(code, 1);
      assert.match(
        out + err,
        /There is no database at \S+cfbe\.kv and no service responds at http:\S+\. Set CFBE_KV, PORT and CFBE_BASE_URL/,
      );
      assert.deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
    }
    assert.equal((await cfbe({ env }, "users", "invite", "grace", "--role", "admin")).code, 0);
    assert.match((await cfbe({ env }, "users", "links")).out, /grace/);
  }));

Deno.test("the doctor exits with 0 for a healthy service", async () => {
  await using program = await runningService();
  const { code, out } = await cfbe({ env: program.shell }, "doctor");
  assert.equal(code, 0, out);
  assert.match(out, /OK +the API key works/);
});
