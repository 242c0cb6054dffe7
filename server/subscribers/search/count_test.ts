import assert from "node:assert/strict";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { countMatches, MAX_COUNTED } from "./count.ts";
import type { SubscriberQuery } from "./query.ts";
import { PAGE_MAX, search } from "./search.ts";
import { insertSampleRecords, SAMPLE_SEARCHES } from "../testing/sample_records.ts";

async function countPages(kv: Kv, query: SubscriberQuery): Promise<number> {
  let count = 0;
  let after: string | undefined;
  do {
    const page = await search(kv, query, { after, limit: PAGE_MAX });
    count += page.records.length;
    after = page.next;
  } while (after !== undefined);
  return count;
}

Deno.test("each kind of search is counted exactly up to the maximum", async () => {
  await using temp = await tempKv();
  await insertSampleRecords(temp.kv, 1_000);
  for (const [name, query] of Object.entries(SAMPLE_SEARCHES)) {
    const expected = { count: await countPages(temp.kv, query), more: false };
    assert.deepEqual(await countMatches(temp.kv, query), expected, name);
  }
  assert.deepEqual(await countMatches(temp.kv, {}), { count: MAX_COUNTED, more: false });
  const never: SubscriberQuery = { from: 2, until: 1 };
  assert.deepEqual(await countMatches(temp.kv, never), { count: 0, more: false });
});

Deno.test("counting reads at most 2,001 rows, however many records there are", async () => {
  await using temp = await tempKv();
  await insertSampleRecords(temp.kv, 12_000);
  const { kv, listed, reset } = countingKv(temp.kv);
  const rare = { source: "shortcode", form: "landing", status: "expired" } as const;
  const wide: SubscriberQuery = { term: { by: "prefix", prefix: "p" }, status: "expired" };
  for (
    const [query, most] of [[{}, 1_001], [{ status: "active" }, 1_001], [wide, 2_001], [rare, 2_001]] as const
  ) {
    reset();
    const { more } = await countMatches(kv, query);
    // Choosing an index of several reads 100 rows of each.
    assert.ok(listed() <= most + 300, `${listed()} rows`);
    if (most === 1_001 || query === wide) assert.equal(more, true);
  }
  assert.deepEqual(await countMatches(kv, {}), { count: MAX_COUNTED, more: true });
  // A prefix is searched by address, so that the days leave gaps.
  const days: SubscriberQuery = {
    term: { by: "prefix", prefix: "p" },
    from: Date.UTC(2026, 0, 1) - 2_000_000,
  };
  assert.equal((await countMatches(kv, days)).more, true);
  const { count, more } = await countMatches(kv, wide);
  assert.ok(more && count > 0 && count < MAX_COUNTED);
});
