import assert from "node:assert/strict";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { PAGE_SIZE, search } from "./search.ts";
import { insertSampleRecords, SAMPLE_SEARCHES } from "../testing/sample_records.ts";

/** What searches read among tens of thousands of records. */

Deno.test("each kind of search, and its next page, needs the same reads with fifty times the records", async () => {
  const costs: Record<string, unknown>[] = [];
  for (const count of [1_000, 50_000]) {
    await using temp = await tempKv();
    await insertSampleRecords(temp.kv, count);
    const { kv, counts, listed, reset } = countingKv(temp.kv);
    const cost: Record<string, unknown> = {};
    for (const [name, query] of Object.entries(SAMPLE_SEARCHES)) {
      reset();
      const first = await search(kv, query, { limit: 20 });
      cost[name] = { ...counts, rows: listed(), found: first.records.length };
      reset();
      if (first.next) await search(kv, query, { limit: 20, after: first.next });
      cost[`${name}, next page`] = { ...counts, rows: listed() };
    }
    costs.push(cost);
  }
  assert.deepEqual(costs[1], costs[0]);
});

Deno.test("a search with several filters reads the index of the rarest one", async () => {
  await using temp = await tempKv();
  await insertSampleRecords(temp.kv, 20_000);
  const { kv, listed } = countingKv(temp.kv);
  const query = { source: "shortcode", term: { by: "domain", domain: "rare.example" } } as const;
  const { records, searchedTo } = await search(kv, query);
  assert.deepEqual([records.length, searchedTo], [PAGE_SIZE, undefined]);
  assert.ok(listed() < 1_000, `${listed()} rows`);
});
