/**
 * Compares the cost of a search in a thousand and in a million stored records.
 *
 * `deno task bench:search` fills two files; the second takes minutes and gigabytes. For every kind of search
 * and its next page, it prints the number of reads and rows, and the median time. Exits with 1 if the reads
 * or rows differ between the files. The number of records of the second file can be given as an argument.
 */
import { join } from "node:path";
import { search, type SubscriberQuery } from "../subscribers/search.ts";
import { insertSampleRecords, SAMPLE_SEARCHES } from "../subscribers/testing/sample_records.ts";
import { countingKv } from "../testing/counting_kv.ts";

const SMALL = 1_000;
const TIMES = 9;
/** Small enough that every search has a next page in the small file. */
const LIMIT = 20;

interface Cost {
  reads: number;
  rows: number;
  ms: number;
}

const large = Number(Deno.args[0] ?? 1_000_000);
if (!Number.isInteger(large) || large <= SMALL) {
  console.error(`The number of records must be an integer above ${SMALL}.`);
  Deno.exit(2);
}
const folder = await Deno.makeTempDir({ prefix: "cfbe_bench_" });
try {
  const few = await costs(SMALL);
  const many = await costs(large);
  const line = (name: string, few: string, many: string) =>
    console.log(`${name.padEnd(38)} ${few.padStart(26)} ${many.padStart(26)}`);
  line("", `${SMALL.toLocaleString("en")} records`, `${large.toLocaleString("en")} records`);
  for (const [name, cost] of few) line(name, shown(cost), shown(many.get(name)!));
  const differ = [...few].filter(([name, { reads, rows }]) => {
    const other = many.get(name)!;
    return reads !== other.reads || rows !== other.rows;
  });
  for (const [name] of differ) console.error(`${name} costs more with more records.`);
  if (differ.length > 0) Deno.exitCode = 1;
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function costs(count: number): Promise<Map<string, Cost>> {
  const kv = await Deno.openKv(join(folder, `${count}.kv`));
  const found = new Map<string, Cost>();
  try {
    const start = performance.now();
    await insertSampleRecords(kv, count, (made) => {
      if (Deno.stderr.isTerminal() && made % 10_000 === 0) {
        Deno.stderr.writeSync(new TextEncoder().encode(`\r${made.toLocaleString("en")} records`));
      }
    });
    console.error(
      `\r${count.toLocaleString("en")} records in ${((performance.now() - start) / 1000).toFixed(0)} s`,
    );
    for (const [name, query] of Object.entries(SAMPLE_SEARCHES)) {
      const { next } = await search(kv, query, { limit: LIMIT });
      found.set(name, await measure(kv, query, undefined));
      if (next !== undefined) found.set(`${name}, next page`, await measure(kv, query, next));
    }
  } finally {
    kv.close();
  }
  return found;
}

async function measure(inner: Deno.Kv, query: SubscriberQuery, after: string | undefined): Promise<Cost> {
  const { kv, counts, listed, reset } = countingKv(inner);
  const times: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    reset();
    const start = performance.now();
    await search(kv, query, { limit: LIMIT, after });
    times.push(performance.now() - start);
  }
  const ms = times.toSorted((a, b) => a - b)[Math.floor(TIMES / 2)]!;
  return { reads: counts.reads, rows: listed(), ms };
}

function shown({ reads, rows, ms }: Cost): string {
  return `${reads} reads, ${rows} rows, ${ms.toFixed(1)} ms`;
}
