import assert from "node:assert/strict";
import { insertSampleRecords } from "../../subscribers/testing/sample_records.ts";
import { pages } from "../page_registry.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { insertSampleOperation, type OperationSize } from "../testing/sample_operation.ts";

/** The lists of a page stop at such numbers of rows: 2,000 signups and 1,000 jobs of each state. */
const MOST_ROWS = 4_000;
const MOST_READS = 25;

/** Returns how often each page reads the database, and how many rows its lists return. */
async function readsOf(records: number, operation: OperationSize): Promise<Map<string, [number, number]>> {
  await using app = await adminHarness();
  await insertSampleRecords(app.kv, records);
  await insertSampleOperation(app.kv, app.clock.now(), operation);
  const admin = await app.signIn();
  const reads = new Map<string, [number, number]>();
  for (const path of [...pages.map(({ path }) => path), "/jobs?state=dead", "/overview?days=90"]) {
    // The first request of the Overview summarizes the days.
    await admin.page(path);
    app.reset();
    const { status } = await admin.page(path);
    assert.equal(status, 200, path);
    reads.set(path, [app.counts.reads, app.listed()]);
  }
  return reads;
}

Deno.test("no page of the admin reads more when there are more signups, jobs, audit entries and years", async () => {
  const few = await readsOf(2_100, { days: 181, jobs: 1_050, auditEntries: 210 });
  const many = await readsOf(4_200, { days: 400, jobs: 2_100, auditEntries: 840 });
  assert.deepEqual(many, few);
  for (const [path, [reads, rows]] of many) {
    assert.ok(reads <= MOST_READS && rows <= MOST_ROWS, `${path}: ${reads} reads, ${rows} rows`);
  }
});
