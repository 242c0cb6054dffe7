/**
 * Searches and backs up many stored records with the code of a checkout.
 *
 * Arguments: the checkout's folder, the database file, and the number of records.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openDenoKv } from "../../server/platform/kv/engines/deno_kv.ts";
import { serveCommands } from "./commands.ts";
import { median } from "./statistics.ts";

/** What one kind of search takes. */
export interface SearchCost {
  name: string;
  reads: number;
  rows: number;
  /** Median time in milliseconds. */
  ms: number;
}

const TIMES = 9;
/** Small enough that every search has a next page in a thousand records. */
const LIMIT = 20;

const [folder = "", database = "", count = ""] = Deno.args;
const load = (path: string) => import(pathToFileURL(join(folder, path)).href);
const { search } = await load(
  "server/subscribers/search/search.ts",
) as typeof import("../../server/subscribers/search/search.ts");
const { insertSampleRecords, SAMPLE_SEARCHES } = await load(
  "server/subscribers/testing/sample_records.ts",
) as typeof import("../../server/subscribers/testing/sample_records.ts");
const { countingKv } = await load(
  "dev/testing/counting_kv.ts",
) as typeof import("../testing/counting_kv.ts");
const { takeBackup } = await load(
  "server/operations/backup/snapshot.ts",
) as typeof import("../../server/operations/backup/snapshot.ts");
const { createKeyring } = await load(
  "server/platform/keys/keyring.ts",
) as typeof import("../../server/platform/keys/keyring.ts");

const stored = await openDenoKv(database);
await insertSampleRecords(stored, Number(count));

async function costOf(
  name: string,
  query: (typeof SAMPLE_SEARCHES)[string],
  after: string | undefined,
): Promise<SearchCost> {
  const { kv, counts, listed, reset } = countingKv(stored);
  const times: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    reset();
    const start = performance.now();
    await search(kv, query, { limit: LIMIT, after });
    times.push(performance.now() - start);
  }
  return { name, reads: counts.reads, rows: listed(), ms: median(times) };
}

await serveCommands(null, {
  async search() {
    const costs: SearchCost[] = [];
    for (const [name, query] of Object.entries(SAMPLE_SEARCHES)) {
      const { next } = await search(stored, query, { limit: LIMIT });
      costs.push(await costOf(name, query, undefined));
      if (next !== undefined) costs.push(await costOf(`${name}, next page`, query, next));
    }
    return costs;
  },
  /** Returns how long a backup takes, in milliseconds. */
  async backup() {
    const keyring = createKeyring(["a salt for benchmarks, long enough"]);
    const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
    const start = performance.now();
    for await (const _ of takeBackup({ kv: stored, clock, keyring })) {
      // Read to the end, as a client does.
    }
    return performance.now() - start;
  },
});
