import assert from "node:assert/strict";
import fc from "fast-check";
import { systemRandom } from "../deps.ts";
import { aroundCommits, beforeCommits } from "../../../dev/testing/around_commits.ts";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { KvKey } from "../kv/port.ts";
import { type CounterEntry, createCounters, DAY_MS } from "./counters.ts";

const ENTRIES: CounterEntry[] = [
  "accepted",
  "invalid.fields",
  "rate_limited.ip",
  "dropped.honeypot",
  "rejected.error",
];

async function opened() {
  const temp = await tempKv();
  const counted = countingKv(temp.kv);
  const clock = new ManualClock();
  const log = memoryLog();
  const counters = createCounters({ kv: counted.kv, clock, random: systemRandom, log });
  return {
    ...counted,
    clock,
    log,
    counters,
    inner: temp.kv,
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

Deno.test("counting writes nothing, and a flush is one commit however much was counted", async () => {
  await using b = await opened();
  for (let i = 0; i < 50; i++) b.counters.count(`form${i}`, ENTRIES[i % 5]!);
  assert.equal(b.counts.commits, 0);
  await b.counters.flush();
  assert.equal(b.counts.commits, 1);
  await b.counters.flush();
  assert.equal(b.counts.commits, 1);
});

Deno.test("entries add up to all requests, written or not, across forms, hours, flushes and processes", async () => {
  const step = fc.oneof(
    fc.tuple(
      fc.constant("count" as const),
      fc.constantFrom("-", "popup", "footer"),
      fc.constantFrom(...ENTRIES),
    ),
    fc.tuple(fc.constantFrom("flush" as const, "hour" as const, "seen" as const, "confirmed" as const)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      await using b = await opened();
      const other = createCounters({ kv: b.inner, clock: b.clock, random: systemRandom, log: b.log });
      let sent = 0;
      for (const [i, [what, form, entry]] of steps.entries()) {
        const counters = i % 3 ? b.counters : other;
        if (what === "count") counters.count(form, entry), sent++;
        else if (what === "flush") await counters.flush();
        else if (what === "seen") counters.note("seen", "popup");
        else if (what === "confirmed") counters.note("confirmed.webhook", "footer");
        else await b.clock.advance(3_600_000);
      }
      await other.flush();
      const totals = await b.counters.totals();
      const { requests = 0, "note.seen": _, "note.confirmed.webhook": __, ...entries } = totals;
      assert.equal(requests, sent);
      assert.equal(Object.values(entries).reduce((sum, count) => sum + count, 0), sent);
      const byDay: Record<string, number> = {};
      for (const { entries } of await b.counters.days(0, Infinity)) {
        for (const [entry, count] of Object.entries(entries)) byDay[entry] = (byDay[entry] ?? 0) + count;
      }
      assert.deepEqual(byDay, totals);
    }),
    { numRuns: 30 },
  );
});

Deno.test("counts that exceed one commit are written in several, and the counters add up in each", async () => {
  await using b = await opened();
  for (let i = 0; i < 1_000; i++) for (const entry of ENTRIES) b.counters.count(`form${i}`, entry);
  await b.counters.flush();
  assert.ok(b.counts.commits > 1 && b.counts.commits < 20);
  const { requests, ...entries } = await b.counters.totals();
  assert.deepEqual([requests, Object.values(entries)], [5_000, [1_000, 1_000, 1_000, 1_000, 1_000]]);
});

Deno.test("the counts of a failed write are written by the next flush, together with newer ones", async () => {
  await using b = await opened();
  let failing = true;
  const kv = aroundCommits(b.inner, (commit) => {
    return failing ? Promise.reject(new Error("disk full")) : commit();
  });
  const counters = createCounters({ kv, clock: b.clock, random: systemRandom, log: b.log });
  counters.count("popup", "accepted");
  const flushing = counters.flush();
  counters.count("popup", "rate_limited.ip");
  await flushing;
  assert.equal(b.log.of("counters.flush_failed").length, 1);
  assert.equal((await counters.totals())["requests"], 2);
  failing = false;
  await counters.flush();
  const fresh = createCounters({ kv: b.inner, clock: b.clock, random: systemRandom, log: b.log });
  assert.deepEqual(await fresh.totals(), { requests: 2, accepted: 1, "rate_limited.ip": 1 });
});

Deno.test("a count is in the totals and in its day exactly once, also while it is being written", async () => {
  await using b = await opened();
  // Commits can wait for others, and reads overtake them.
  const kv = beforeCommits(b.inner, () => new Promise((resolve) => setTimeout(resolve, 5)));
  const counters = createCounters({ kv, clock: b.clock, random: systemRandom, log: b.log });
  const today = Math.floor(b.clock.now() / DAY_MS);
  counters.count("popup", "accepted");
  const flushing = counters.flush();
  const [totals, days] = await Promise.all([counters.totals(), counters.days(today, today + 1)]);
  await flushing;
  assert.deepEqual(totals, { requests: 1, accepted: 1 });
  assert.deepEqual(days.flatMap(({ entries }) => Object.entries(entries)), [["accepted", 1], [
    "requests",
    1,
  ]]);
});

const isFlushed = ({ key }: { key: KvKey }) => key[2] === "flushed";

Deno.test("totals can start at an hour, and the counters contain no personal data", async () => {
  await using b = await opened();
  b.counters.count("popup", "accepted");
  await b.counters.flush();
  await b.clock.advance(2 * 3_600_000);
  b.counters.count("popup", "accepted");
  const hour = Math.floor(b.clock.now() / 3_600_000);
  assert.deepEqual(await b.counters.totals(hour), { requests: 1, accepted: 1 });
  assert.deepEqual((await b.counters.totals())["requests"], 2);
  const all = await Array.fromAsync(b.inner.list<{ ids: string[] }>({ prefix: [] }));
  const [flushed, rows] = [all.filter(isFlushed), all.filter((row) => !isFlushed(row)).map(({ key }) => key)];
  assert.match(flushed.flatMap(({ value }) => value.ids).join(), /^[0-9a-f-]{36}$/);
  assert.ok(rows.every((key) => /^books(_day)?$/.test(String(key[2])) && typeof key[3] === "number"));
  assert.ok(rows.every((key) => key.length === 6));
});

Deno.test("a day ends at midnight UTC, and its counts are by form", async () => {
  await using b = await opened();
  const today = Math.floor(b.clock.now() / DAY_MS);
  await b.clock.advance((today + 1) * DAY_MS - 1 - b.clock.now());
  b.counters.note("seen", "popup");
  b.counters.count("footer", "accepted");
  await b.clock.advance(1);
  b.counters.note("confirmed.webhook", "footer");
  await b.counters.flush();
  const countsOf = async (from: number, until: number) =>
    (await b.counters.days(from, until)).flatMap(({ day, form, entries }) =>
      Object.entries(entries).map(([entry, count]) => `${day - today} ${form} ${entry} ${count}`)
    );
  assert.deepEqual(await countsOf(today, today + 1), [
    "0 footer accepted 1",
    "0 footer requests 1",
    "0 popup note.seen 1",
  ]);
  assert.deepEqual(await countsOf(today + 1, today + 2), ["1 footer note.confirmed.webhook 1"]);
});
