import assert from "node:assert/strict";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { Kv } from "../kv/port.ts";
import { auditIpKey, auditKey, type AuditRow, HOUR_MS } from "./row.ts";
import { type AuditQuery, BadAuditCursor, searchAudit } from "./search.ts";

const START = Date.UTC(2026, 5, 1);

/** Stores rows one minute apart. */
async function store(kv: Kv, rows: Partial<AuditRow>[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 100) {
    const tx = kv.atomic();
    for (const [index, row] of rows.slice(from, from + 100).entries()) {
      const at = row.at ?? START + (from + index) * 60_000;
      const whole = { v: 1, at, who: "ada", action: "cfbe_sign_in", result: "done", ...row } as const;
      tx.set(auditKey(at, `id-${from + index}`), whole satisfies AuditRow);
    }
    await tx.commit();
  }
}

/** Returns the ids of all results, and the number of pages. */
async function findAll(kv: Kv, query: AuditQuery, limit?: number) {
  const ids: string[] = [];
  let pages = 0;
  let before: string | undefined;
  do {
    const page = await searchAudit(kv, query, { before, ...(limit && { limit }) });
    ids.push(...page.rows.map(({ id }) => id));
    before = page.before;
    pages++;
  } while (before !== undefined);
  return { ids, pages };
}

Deno.test("every matching entry is on exactly one page, newest first, whatever the size of the pages", async () => {
  await using temp = await tempKv();
  const { kv } = temp;
  await store(kv, Array.from({ length: 23 }, (_, index) => ({ who: index % 2 === 1 ? "ada" : "bob" })));
  const expected = Array.from({ length: 11 }, (_, index) => `id-${21 - 2 * index}`);
  for (const limit of [1, 3, 10, 11, 12, 100]) {
    const { ids, pages } = await findAll(kv, { who: "ada" }, limit);
    assert.deepEqual(ids, expected);
    assert.equal(pages, Math.ceil(11 / limit), "no empty last page");
  }
});

Deno.test("entries are found by user, with failed sign-ins under that name, by action, result, person and time", async () => {
  await using temp = await tempKv();
  const { kv } = temp;
  await store(kv, [
    { who: "ada" },
    { who: "someone as ada", result: "refused" },
    { who: "bob", action: "cfbe_erase_person", target: "hash" },
    { who: "ada", action: "cfbe_backup" },
  ]);
  const cases: [AuditQuery, string[]][] = [
    [{}, ["id-3", "id-2", "id-1", "id-0"]],
    [{ who: "ada" }, ["id-3", "id-1", "id-0"]],
    [{ actions: ["cfbe_backup", "cfbe_erase_person"] }, ["id-3", "id-2"]],
    [{ result: "refused" }, ["id-1"]],
    [{ target: "hash" }, ["id-2"]],
    [{ from: START + 60_000, until: START + 180_000 }, ["id-2", "id-1"]],
    [{ who: "ada", result: "done", until: START + 60_000 }, ["id-0"]],
    [{ from: START + HOUR_MS, until: START }, []],
    [{ who: "carl" }, []],
  ];
  for (const [query, expected] of cases) {
    assert.deepEqual((await findAll(kv, query)).ids, expected, JSON.stringify(query));
  }
});

Deno.test("an entry that summarizes an hour is found on a day that starts within that hour", async () => {
  await using temp = await tempKv();
  await store(temp.kv, [{ at: START, count: 4 }, { at: START + 1 }]);
  const half = START + HOUR_MS / 2;
  assert.deepEqual((await findAll(temp.kv, { from: half })).ids, ["id-0"]);
});

Deno.test("a search that matches little stops after a bounded number of rows, says where, and continues from there", async () => {
  await using temp = await tempKv();
  const { kv } = temp;
  await store(kv, [{ who: "rare" }, ...Array.from({ length: 4500 }, () => ({}))]);
  const page = await searchAudit(kv, { who: "rare" });
  assert.deepEqual(page.rows, []);
  assert.equal(page.searchedTo, START + 2501 * 60_000);
  const { ids, pages } = await findAll(kv, { who: "rare" });
  assert.deepEqual([ids, pages], [["id-0"], 3]);
});

Deno.test("entries are shown with their IP, and a cursor that was tampered with is rejected", async () => {
  await using temp = await tempKv();
  const { kv } = temp;
  await store(kv, [{}, {}]);
  await kv.set(auditIpKey(START, "id-0"), { v: 1, ip: "192.0.2.1" });
  const { rows } = await searchAudit(kv, {});
  assert.deepEqual(rows.map(({ ip }) => ip), [undefined, "192.0.2.1"]);
  for (
    const before of ["", "x", "1", "1.", ".a", "1.a.b", "9".repeat(16) + ".a", `1.${"a".repeat(200)}`, "1.\0"]
  ) {
    await assert.rejects(searchAudit(kv, {}, { before }), BadAuditCursor, before);
  }
  // A valid cursor outside of the dates leads to no entry outside of them.
  const outside = await searchAudit(kv, { until: START }, { before: `${START + 999_999_999}.id` });
  assert.deepEqual(outside.rows, []);
});
