import assert from "node:assert/strict";
import { beforeCommits } from "../testing/before_commits.ts";
import { ManualClock } from "../testing/manual_clock.ts";
import { memoryLog } from "../testing/memory_log.ts";
import { tempKv } from "../testing/temp_kv.ts";
import { createPageCounts, OTHER } from "./page_counts.ts";
import { valueTotals } from "./summary.ts";

const DAY_MS = 86_400_000;
const BLOG = { path: "/blog", referrer: "https://news.example", utm: { source: "mail", campaign: "spring" } };

async function opened() {
  const temp = await tempKv();
  const clock = new ManualClock();
  const log = memoryLog();
  const create = (kv = temp.kv) => createPageCounts({ kv, clock, log });
  const today = () => Math.floor(clock.now() / DAY_MS);
  return { kv: temp.kv, clock, log, create, today, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}

Deno.test("signups and confirmations add up by path, campaign and linking site, over processes and days", async () => {
  await using world = await opened();
  const { clock, create, today } = world;
  const [first, second] = [create(), create()];
  first.count("footer", BLOG, "signups");
  second.count("footer", BLOG, "signups");
  second.count("popup", { path: "/" }, "signups");
  await Promise.all([first.flush(), second.flush()]);
  await clock.advance(3 * DAY_MS);
  first.count("footer", BLOG, "confirmed");
  for (const counts of [first, create()]) {
    await first.flush();
    const found = await counts.totals(today() - 3, today() + 1);
    assert.deepEqual(valueTotals(found, "path", undefined), [
      { value: "/blog", signups: 2, confirmed: 1 },
      { value: "/", signups: 1, confirmed: 0 },
    ]);
    assert.deepEqual(valueTotals(found, "path", "popup").map(({ value }) => value), ["/"]);
    assert.deepEqual(valueTotals(found, "campaign", undefined), [{
      value: "spring\tmail\t",
      signups: 2,
      confirmed: 1,
    }]);
    assert.deepEqual(valueTotals(found, "referrer", undefined)[0]?.value, "https://news.example");
    const before = await counts.totals(today() - 3, today());
    assert.equal(valueTotals(before, "path", undefined)[0]?.confirmed, 0);
  }
});

Deno.test("visitors who invent paths add at most 301 values a day, and no signup is missing from the sum", async () => {
  await using world = await opened();
  const { create, today } = world;
  const counts = create();
  for (let n = 0; n < 2_000; n++) counts.count("footer", { path: `/${n}` }, "signups");
  await counts.flush();
  const totals = valueTotals(await counts.totals(today(), today() + 1), "path", undefined);
  assert.equal(totals.length, 301);
  assert.deepEqual(totals[0], { value: OTHER, signups: 1_700, confirmed: 0 });
});

Deno.test("counts that could not be written are written with the next ones, once", async () => {
  await using world = await opened();
  const { kv, log, create, today } = world;
  let fails = true;
  const counts = create(
    beforeCommits(kv, () => fails ? Promise.reject(new Error("the disk is full")) : Promise.resolve()),
  );
  counts.count("footer", BLOG, "signups");
  await counts.flush();
  assert.equal(log.entries.at(-1)?.event, "page_counts.flush_failed");
  fails = false;
  await counts.flush();
  await counts.flush();
  const found = await create().totals(today(), today() + 1);
  assert.equal(valueTotals(found, "path", undefined)[0]?.signups, 1);
});
