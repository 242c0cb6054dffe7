/**
 * Fills a database with the code of a checkout: signup records, and what else a service with so many of them has.
 *
 * Arguments: the checkout's folder, the database file, and the number of records.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder = "", database = "", count = ""] = Deno.args;
const load = (path: string) => import(pathToFileURL(join(folder, path)).href);
const { insertSampleRecords } = await load(
  "server/subscribers/testing/sample_records.ts",
) as typeof import("../subscribers/testing/sample_records.ts");
const { insertSampleOperation } = await load(
  "server/admin/testing/sample_operation.ts",
) as typeof import("../admin/testing/sample_operation.ts");

using kv = await Deno.openKv(database);
await insertSampleRecords(kv, Number(count));
await insertSampleOperation(kv, Date.now(), { days: 400, jobs: 6_000, auditEntries: 20_000 });
