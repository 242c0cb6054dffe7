import assert from "node:assert/strict";
import { cfbe, runningService } from "../testing/cli.ts";

Deno.test("a move needs a confirmation and pairs of lists, and says why it cannot start", async () => {
  await using program = await runningService();
  const env = program.shell;
  const migrate = (...args: string[]) => cfbe({ env }, "provider", "migrate", "--from", "listmonk", ...args);
  assert.equal((await cfbe({ env }, "provider", "migration")).out, "No move was started yet.");
  assert.equal((await migrate("--list", "1=2")).code, 2);
  for (const pairs of [["1"], ["1="], ["1=2=3"], ["1=2", "1=3"]]) {
    const { code, err } = await migrate("--yes", "--list", ...pairs);
    assert.equal(code, 2, pairs.join());
    assert.match(err, /must be OLD=NEW/);
  }
  const { code, err } = await migrate("--yes", "--list", "1=2");
  assert.equal(code, 1);
  assert.match(err, /The settings of listmonk are incomplete/);
  const unknown = await cfbe(
    { env },
    "provider",
    "migrate",
    "--from",
    "nobody",
    "--list",
    "1=2",
    "--dry-run",
  );
  assert.match(unknown.err, /must be the old provider/);
  assert.equal((await cfbe({ env }, "provider", "cancel-migration")).err, "No move is running.");
  assert.equal((await cfbe({ env }, "provider", "migration", "--csv")).out, "email,list,reason");
});
