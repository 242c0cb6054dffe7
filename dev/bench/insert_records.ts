/**
 * Fills a database with the code of a checkout: signups, and what else a service with so many of them has. Does nothing
 * if the file is filled already.
 *
 * Arguments: the checkout's folder, the database file, and the number of signups.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openDenoKv } from "../../server/platform/kv/engines/deno_kv.ts";

const DAYS = 400;
const LINE_EVERY_MS = 10_000;

const [folder = "", database = "", count = ""] = Deno.args;
const load = (path: string) => import(pathToFileURL(join(folder, path)).href);
const { insertSampleSignups } = await load(
  "server/subscribers/testing/insert_signups.ts",
) as typeof import("../../server/subscribers/testing/insert_signups.ts");
const { insertSampleOperation } = await load(
  "server/admin/testing/sample_operation.ts",
) as typeof import("../../server/admin/testing/sample_operation.ts");
const { insertSamplePageCounts } = await load(
  "server/admin/testing/sample_page_counts.ts",
) as typeof import("../../server/admin/testing/sample_page_counts.ts");
const { withPortableValues } = await load(
  "server/platform/kv/portable_values.ts",
) as typeof import("../../server/platform/kv/portable_values.ts");

using file = await openDenoKv(database);
const kv = withPortableValues(file);
const start = Date.now();
const shown = (value: number) => value.toLocaleString("en");
let line = start;
await insertSampleSignups(kv, { count: Number(count), days: DAYS, end: start }, (stored) => {
  if (Date.now() - line < LINE_EVERY_MS) return;
  line = Date.now();
  console.error(
    `filling: ${shown(stored)} of ${shown(Number(count))} signups, ${(line - start) / 1000 | 0} s`,
  );
});
// Separate from the signups, because a run can be interrupted between the two.
const operationKey = ["bench", "operation"];
if ((await kv.get(operationKey)).value === null) {
  await insertSampleOperation(kv, start, { days: DAYS, jobs: 6_000, auditEntries: 20_000 });
  await insertSamplePageCounts(kv, start, DAYS);
  await kv.set(operationKey, { v: 1 });
  console.error(`filling: done after ${(Date.now() - start) / 1000 | 0} s`);
}
