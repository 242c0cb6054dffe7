import assert from "node:assert/strict";
import fc from "fast-check";
import { systemRandom as random } from "../deps.ts";
import { EMBEDDED_LIMITS, REMOTE_LIMITS } from "../kv/limits.ts";
import { createPageCounts } from "../../signup/attribution/page_counts.ts";
import { createExperimentCounts } from "../../forms/experiments/counts.ts";
import type { Kv } from "../kv/port.ts";
import { createBufferedDayCounts } from "./buffered_day_counts.ts";
import { createCounters, DAY_MS } from "./counters.ts";
import { createRefusedOrigins } from "./refused_origins.ts";
import { createWebhookCalls } from "./webhook_calls.ts";
import { aroundCommits } from "../../../dev/testing/around_commits.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";

/** Returns the same database, which makes a commit, or not, and loses its answer, while `lose` returns "after" or "before". */
function losing(kv: Kv, lose: () => "before" | "after" | undefined): Kv {
  return aroundCommits(kv, async (commit) => {
    const when = lose();
    if (when === "before") throw new Error("connection lost");
    const result = await commit();
    if (when === "after") throw new Error("connection lost");
    return result;
  });
}

type Deps = Parameters<typeof createWebhookCalls>[0];

/** Everything that counts in memory: how it counts one event, and how it counts all that were written. */
const BUFFERS: Record<
  string,
  (deps: Deps) => { count(): void; flush(): Promise<void>; total(): Promise<number> }
> = {
  counters(deps) {
    const counters = createCounters(deps);
    return {
      count: () => counters.count("popup", "accepted"),
      flush: counters.flush,
      total: async () => (await counters.totals())["requests"] ?? 0,
    };
  },
  "page counts"(deps) {
    const counts = createPageCounts(deps);
    return {
      count: () => counts.count("popup", { path: "/" }, "signups"),
      flush: counts.flush,
      total: async () => (await counts.totals(0, 30_000)).reduce((sum, { signups }) => sum + signups, 0),
    };
  },
  "counts of experiments"(deps) {
    const counts = createExperimentCounts(deps);
    return {
      count: () => counts.count("x/a", "seen"),
      flush: counts.flush,
      total: async () => (await counts.days("x", 0, 30_000)).reduce((sum, { seen }) => sum + seen, 0),
    };
  },
  "refused origins"(deps) {
    const site = () => ({ baseUrl: "https://news.example", origins: ["https://news.example"] });
    const origins = createRefusedOrigins({ ...deps, site });
    return {
      count: () => origins.note(new Headers({ origin: "https://other.example" })),
      flush: origins.flush,
      total: async () => (await origins.recent()).reduce((sum, { count }) => sum + count, 0),
    };
  },
  "webhook calls"(deps) {
    const calls = createWebhookCalls(deps);
    return {
      count: () => calls.note({ at: deps.clock.now(), by: "key", result: "queued" }),
      flush: calls.flush,
      total: async () => (await calls.recent()).length,
    };
  },
};

for (const [name, create] of Object.entries(BUFFERS)) {
  Deno.test(`what is counted is stored exactly once, whichever answers of the database are lost: ${name}`, async () => {
    const step = fc.record({
      process: fc.nat(1),
      counts: fc.nat(2),
      lost: fc.constantFrom("before" as const, "after" as const, undefined),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        await using temp = await tempKv();
        let lost: "before" | "after" | undefined;
        const clock = new ManualClock();
        const deps = { kv: losing(temp.kv, () => lost), clock, random, log: memoryLog() };
        const processes = [create(deps), create(deps)];
        let counted = 0;
        for (const { process, counts, ...next } of steps) {
          for (let n = 0; n < counts; n++) processes[process]!.count();
          counted += counts;
          lost = next.lost;
          await processes[process]!.flush();
        }
        lost = undefined;
        for (const { flush } of processes) await flush();
        const fresh = create({ ...deps, kv: temp.kv });
        assert.equal(await fresh.total(), counted);
      }),
      { numRuns: 40 },
    );
  });
}

Deno.test("a flush that the database makes long after its deadline does not count again", async () => {
  await using temp = await tempKv();
  const late: (() => Promise<unknown>)[] = [];
  let hangs = true;
  const kv = aroundCommits(temp.kv, (commit) => {
    if (!hangs) return commit();
    late.push(commit);
    return Promise.reject(new Error("no answer"));
  });
  const counters = createCounters({ kv, clock: new ManualClock(), random, log: memoryLog() });
  counters.count("popup", "accepted");
  await counters.flush();
  hangs = false;
  await counters.flush();
  assert.equal(late.length, 1);
  await late[0]!();
  assert.deepEqual(await counters.totals(), { requests: 1, accepted: 1 });
});

for (const [engine, limits] of Object.entries({ file: EMBEDDED_LIMITS, "KV Connect": REMOTE_LIMITS })) {
  Deno.test(`a flush fits the database, however long the names are and whatever was counted: ${engine}`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 600 }),
        fc.integer({ min: 1, max: 1_200 }),
        fc.constantFrom("a", "字", "\u0000", "😀"),
        fc.boolean(),
        async (length, counts, letter, late) => {
          await using temp = await tempKv("memory", limits);
          const [clock, log] = [new ManualClock(), memoryLog()];
          const counted = createBufferedDayCounts({ kv: temp.kv, clock, random, log }, {
            name: "test",
            keys: {
              row: (day, form, entry) => ["rows", day, form, entry],
              from: (day) => ["rows", day],
              summary: (day) => ["summary", day],
            },
          });
          const width = new TextEncoder().encode(letter).length * (letter === "\u0000" ? 2 : 1);
          const name = letter.repeat(Math.floor(length * 3 / width));
          for (let n = 0; n < counts; n++) counted.count(`${name}${n}`, "signups");
          if (late) await clock.advance(3 * DAY_MS);
          const day = Math.floor(clock.now() / DAY_MS);
          await counted.flush();
          assert.equal(log.of("test.flush_failed").length, 0);
          const rows = await Array.fromAsync(temp.kv.list({ prefix: ["rows"] }));
          assert.equal(rows.length, counts);
          // The summary of a day that is too long is not stored, and the day is read nevertheless.
          assert.equal((await counted.read(day - 7, day + 1)).length, counts);
          assert.equal(log.of("counters.summary_failed").length, 0);
        },
      ),
      { numRuns: 5, examples: [[600, 700, "字", true]] },
    );
  });
}
