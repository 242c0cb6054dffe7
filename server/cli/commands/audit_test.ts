import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import type { AuditRow } from "../../platform/audit/row.ts";
import { cfbe, runningService } from "../testing/cli.ts";

Deno.test("the audit log is exported line by line, and verified against a link that was noted", async () => {
  await using program = await runningService();
  const shell = { env: program.shell };
  for (const name of ["ada", "bob"]) {
    await cfbe(shell, "users", "invite", name, "--role", "viewer");
  }
  const exported = await cfbe(shell, "audit", "export");
  const lines = exported.out.split("\n").map((line) => JSON.parse(line));
  assert.ok(lines.filter(({ action }) => /invite/.test(action)).length === 2, exported.out);

  const good = await cfbe(shell, "audit", "verify");
  assert.deepEqual([good.code, good.err], [0, ""]);
  const [, newest] = /Newest link: (\S+)/.exec(good.out)!;
  assert.equal((await cfbe(shell, "audit", "verify", "--expect", newest!)).code, 0);
  const typo = await cfbe(shell, "audit", "verify", "--expect", "5");
  assert.match(typo.err, /must be a link that `audit verify` has printed/);

  const { kv } = program.services;
  const [first] = await Array.fromAsync(kv.list<AuditRow>({ prefix: keys.auditAll() }), (entry) => entry)
    .then((rows) => rows.filter(({ value }) => value.chain));
  await kv.set(first!.key, { ...first!.value, who: "eve" });
  const bad = await cfbe(shell, "audit", "verify");
  assert.deepEqual([bad.code, bad.err], [1, "The audit log is not what was written."]);
  assert.match(bad.out, /Entry 1 of .* was changed\./);
});
