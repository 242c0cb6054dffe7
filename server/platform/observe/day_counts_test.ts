import assert from "node:assert/strict";
import fc from "fast-check";
import { systemRandom } from "../deps.ts";
import { keys } from "../kv/keys.ts";
import { beforeCommits } from "../../../dev/testing/around_commits.ts";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { Kv, KvU64 } from "../kv/port.ts";
import { type Counters, createCounters } from "./counters.ts";
import { DAY_MS } from "./day_counts.ts";

const HOUR_MS = 3_600_000;

async function opened() {
  const temp = await tempKv();
  const clock = new ManualClock();
  const log = memoryLog();
  const count = (kv: Kv) => createCounters({ kv, clock, random: systemRandom, log });
  return { kv: temp.kv, clock, log, count, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}

/** Returns the counts by day, form and entry, added up from the rows by hour. */
async function countedByHour(kv: Kv): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  const range = { start: keys.countersFrom(0), end: keys.countersEnd() };
  for await (const { key, value } of kv.list<KvU64>(range)) {
    const [hour, ...rest] = key.slice(-3) as [number, string, string];
    const id = [Math.floor(hour * HOUR_MS / DAY_MS), ...rest].join(" ");
    sums.set(id, (sums.get(id) ?? 0) + Number(value.value));
  }
  return sums;
}

async function countedByDay(counters: Counters): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for (const { day, form, entries } of await counters.days(0, Infinity)) {
    for (const [entry, count] of Object.entries(entries)) {
      const id = [day, form, entry].join(" ");
      sums.set(id, (sums.get(id) ?? 0) + count);
    }
  }
  return sums;
}

Deno.test("the counts of finished days stay complete, whenever two processes count, write and read them", async () => {
  const step = fc.constantFrom("count", "count", "other form", "flush", "read", "8 hours", "2 days");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      await using b = await opened();
      const processes = [b.count(b.kv), b.count(b.kv)];
      for (const [index, what] of steps.entries()) {
        const counters = processes[index % 2]!;
        if (what === "count") counters.count("footer", "accepted");
        else if (what === "other form") counters.note("seen", "__proto__");
        else if (what === "flush") await counters.flush();
        else if (what === "read") await counters.days(0, Infinity);
        else await b.clock.advance(what === "8 hours" ? 8 * HOUR_MS : 2 * DAY_MS);
      }
      for (const counters of processes) await counters.flush();
      const expected = await countedByHour(b.kv);
      for (const counters of processes) assert.deepEqual(await countedByDay(counters), expected);
    }),
    { numRuns: 60 },
  );
});

Deno.test("counts that are added while a day is summarized are not lost", async () => {
  await using b = await opened();
  const late = b.count(b.kv);
  const early = b.count(b.kv);
  early.count("footer", "accepted");
  late.count("footer", "accepted");
  await early.flush();
  await b.clock.advance(3 * DAY_MS);
  const reader = b.count(beforeCommits(b.kv, () => late.flush()));
  await reader.days(0, Infinity);
  assert.deepEqual(await countedByDay(early), await countedByHour(b.kv));
});

Deno.test("if a summary cannot be stored, the counts are shown all the same", async () => {
  await using b = await opened();
  const counters = b.count(b.kv);
  counters.count("footer", "accepted");
  await counters.flush();
  await b.clock.advance(3 * DAY_MS);
  const reader = b.count(beforeCommits(b.kv, () => Promise.reject(new Error("the disk is full"))));
  assert.deepEqual(await countedByDay(reader), await countedByHour(b.kv));
  assert.ok(b.log.of("counters.summary_failed").length > 0);
});

Deno.test("a year takes one row per day, whatever was counted, once its days have been read", async () => {
  await using b = await opened();
  const { kv, counts, listed, reset } = countingKv(b.kv);
  const counters = b.count(kv);
  const first = Math.floor(b.clock.now() / DAY_MS);
  for (let day = 0; day < 365; day++) {
    for (const form of ["footer", "sidebar", "popup"]) counters.count(form, "accepted");
    await counters.flush();
    await b.clock.advance(DAY_MS);
  }
  const read = async () => {
    reset();
    await counters.days(first, first + 365);
    return { reads: counts.reads, rows: listed() };
  };
  await read();
  const { reads, rows } = await read();
  // The last day is not summarized yet: two rows per form.
  assert.deepEqual([reads, rows], [2, 364 + 6]);
});

Deno.test("today includes what was counted before the site's time zone was changed to one in the west", async () => {
  await using b = await opened();
  let shift = 0;
  const dayOf = (at: number) => Math.floor(at / DAY_MS) - shift;
  const counters = createCounters({ kv: b.kv, clock: b.clock, random: systemRandom, log: b.log, dayOf });
  counters.count("footer", "accepted");
  await counters.flush();
  shift = 1;
  const today = dayOf(b.clock.now());
  const [counted, ...others] = await counters.days(today, today + 1);
  assert.deepEqual([counted!.day, counted!.entries["accepted"], others.length], [today, 1, 0]);
  assert.deepEqual(await counters.days(today - 7, today), []);
});
