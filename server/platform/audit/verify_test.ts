import assert from "node:assert/strict";
import { type Harness, harness } from "../../../dev/testing/harness.ts";
import { keys } from "../kv/keys.ts";
import type { KvEntry } from "../kv/port.ts";
import { type AuditRow, chainHeadKey } from "./row.ts";

const WHO = { who: "ada", action: "cfbe_backup" } as const;
const auditOf = (app: Harness) => app.services.admin.audit;
const rowsOf = (app: Harness) => Array.fromAsync(app.kv.list<AuditRow>({ prefix: keys.auditAll() }));

async function written(app: Harness, count = 5): Promise<void> {
  for (let i = 0; i < count; i++) {
    const end = await auditOf(app).begin({
      ...WHO,
      target: auditOf(app).target(`${i}`),
      from: { ip: "192.0.2.1" },
    });
    await app.clock.advance(1_000);
    await end(
      i % 2 === 0 ? "done" : "failed",
      [{ path: "general.origins", before: "a", after: `${i}` }],
    );
  }
}

const kinds = async (app: Harness) =>
  (await auditOf(app).verify()).problems.map(({ kind, from, to }) => [kind, from, to]);

Deno.test("a log is verified to its newest link, with actions that were interrupted and rows that count", async () => {
  await using app = await harness();
  assert.deepEqual(await auditOf(app).verify(), {
    entries: 0,
    earlier: 0,
    counting: 0,
    problems: [],
    found: 0,
  });
  await written(app);
  await auditOf(app).begin(WHO);
  await auditOf(app).count({ ...WHO, result: "refused" });
  const end = await auditOf(app).begin(WHO);
  const tx = app.kv.atomic();
  end.within(tx, []);
  await tx.commit();
  const { newest, ...report } = await auditOf(app).verify();
  assert.deepEqual(report, { entries: 7, earlier: 0, counting: 1, problems: [], found: 0 });
  assert.equal(newest!.n, 7);
  await written(app, 2);
  assert.equal((await auditOf(app).verify(newest)).found, 0);
});

const CHANGES: Record<string, (row: AuditRow) => AuditRow> = {
  "who": (row) => ({ ...row, who: "bob" }),
  "the action": (row) => ({ ...row, action: "cfbe_restore" }),
  "the target": (row) => ({ ...row, target: "another" }),
  "the device": (row) => ({ ...row, device: "another" }),
  "the result": (row) => ({ ...row, result: "refused" }),
  "the changes": (row) => ({ ...row, changes: [] }),
  "the number of changes": (row) => ({ ...row, otherChanges: 1 }),
  "that it ended": ({ seal: _, ...row }) => row,
};
for (const [what, change] of Object.entries(CHANGES)) {
  Deno.test(`a changed entry is found: ${what}`, async () => {
    await using app = await harness();
    await written(app);
    const { key, value } = (await rowsOf(app))[2]!;
    await app.kv.set(key, change(value));
    assert.deepEqual(await kinds(app), [["changed", 3, 3]]);
  });
}

Deno.test("a moved, removed, copied or inserted entry is found, and so are removed ones at the end", async () => {
  const tamperings: [
    kind: string,
    from: number | undefined,
    (at: (index: number) => KvEntry<AuditRow>, app: Harness) => Promise<unknown>,
  ][] = [
    ["changed", 2, async (at, app) => {
      const { key, value } = at(1);
      await app.kv.delete(key);
      await app.kv.set(keys.audit(value.at - 500, String(key.at(-1))), value);
    }],
    ["missing", 3, (at, app) => app.kv.delete(at(2).key)],
    ["missing", 5, (at, app) => app.kv.delete(at(4).key)],
    ["added", 2, (at, app) => app.kv.set(keys.audit(at(1).value.at, "z"), at(1).value)],
    [
      "added",
      undefined,
      (at, app) => {
        const { chain: _, ...row } = at(1).value;
        return app.kv.set(keys.audit(row.at, "z"), row);
      },
    ],
  ];
  for (const [kind, from, tamper] of tamperings) {
    await using app = await harness();
    await written(app);
    const rows = await rowsOf(app);
    await tamper((index) => rows[index]!, app);
    const problems = await kinds(app);
    assert.ok(problems.some(([found, at]) => found === kind && at === from), `${kind} ${from}: ${problems}`);
  }
});

Deno.test("a log that was cut or replaced together with its head is found by a link that was noted", async () => {
  await using app = await harness();
  await written(app);
  const { newest } = await auditOf(app).verify();
  for (const { key } of (await rowsOf(app)).slice(3)) await app.kv.delete(key);
  await app.kv.delete(chainHeadKey());
  assert.equal((await auditOf(app).verify()).found, 0);
  assert.deepEqual((await auditOf(app).verify(newest)).problems, [{ kind: "other_chain", from: 5, to: 5 }]);
  await written(app);
  assert.deepEqual((await auditOf(app).verify(newest)).problems, [{ kind: "other_chain", from: 5, to: 5 }]);
});

Deno.test("entries that begin at the same time are all in the chain", async () => {
  await using app = await harness();
  const ends = await Promise.all(Array.from({ length: 12 }, () => auditOf(app).begin(WHO)));
  await Promise.all(ends.map((end) => end("done")));
  const { entries, found } = await auditOf(app).verify();
  assert.deepEqual([entries, found], [12, 0]);
});

Deno.test("the chain goes on after a restore, which has no head, and begins after the entries of earlier versions", async () => {
  await using app = await harness();
  for (const at of [1, 2]) {
    const row: AuditRow = { v: 1, at, who: "ada", action: "cfbe_backup", result: "done" };
    await app.kv.set(keys.audit(at, "old"), row);
  }
  await written(app);
  await app.kv.delete(chainHeadKey());
  await written(app, 1);
  const { entries, earlier, found } = await auditOf(app).verify();
  assert.deepEqual([entries, earlier, found], [6, 2, 0]);
});
