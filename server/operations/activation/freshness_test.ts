import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { createFreshness } from "./freshness.ts";

function freshnessHarness({ refresh = () => Promise.resolve(), flush = () => Promise.resolve() } = {}) {
  const clock = new ManualClock();
  const log = memoryLog();
  const counts = { refreshes: 0, flushes: 0 };
  const freshness = createFreshness({
    clock,
    log,
    refresh() {
      counts.refreshes++;
      return refresh();
    },
    flush() {
      counts.flushes++;
      return flush();
    },
  });
  return { clock, log, counts, freshness };
}

Deno.test("while the cached state is less than 10 s old, a request reads nothing", async () => {
  const { clock, counts, freshness } = freshnessHarness();
  await clock.advance(9_999);
  await freshness.refreshIfStale();
  assert.equal(counts.refreshes, 0);
});

Deno.test("from 10 s on, only one of many requests refreshes, and none waits for it", async () => {
  const refreshing = Promise.withResolvers<void>();
  const { clock, counts, freshness } = freshnessHarness({ refresh: () => refreshing.promise });
  await clock.advance(10_000);
  await Promise.all([freshness.refreshIfStale(), freshness.refreshIfStale(), freshness.refreshIfStale()]);
  assert.equal(counts.refreshes, 1);
  refreshing.resolve();
});

Deno.test("after a refresh, the cached state is fresh for another 10 s", async () => {
  const { clock, counts, freshness } = freshnessHarness();
  await clock.advance(15_000);
  await freshness.refreshIfStale();
  await clock.advance(9_999);
  await freshness.refreshIfStale();
  assert.equal(counts.refreshes, 1);
});

Deno.test("before 15 s, no request waits for a refresh", async () => {
  const { clock, freshness } = freshnessHarness({ refresh: () => new Promise(() => {}) });
  await clock.advance(14_999);
  await freshness.refreshIfStale();
});

Deno.test("from 15 s on, a request waits for the refresh", async () => {
  const refreshing = Promise.withResolvers<void>();
  const { clock, freshness } = freshnessHarness({ refresh: () => refreshing.promise });
  await clock.advance(15_000);
  let resolved = false;
  const request = freshness.refreshIfStale().then(() => resolved = true);
  await clock.advance(500);
  assert.equal(resolved, false);
  refreshing.resolve();
  await request;
});

Deno.test("a database that hangs delays a request by at most one second", async () => {
  const { clock, freshness } = freshnessHarness({ refresh: () => new Promise(() => {}) });
  await clock.advance(15_000);
  let resolved = false;
  const request = freshness.refreshIfStale().then(() => resolved = true);
  await clock.advance(999);
  assert.equal(resolved, false);
  await clock.advance(1);
  await request;
});

Deno.test("a failed refresh is logged, and requests neither repeat it nor wait for it until five seconds later", async () => {
  const { clock, counts, log, freshness } = freshnessHarness({
    refresh: () => Promise.reject(new Error("unavailable")),
  });
  await clock.advance(15_000);
  for (let request = 0; request < 10; request++) await freshness.refreshIfStale();
  await clock.advance(4_999);
  await freshness.refreshIfStale();
  assert.equal(counts.refreshes, 1);
  await clock.advance(1);
  await freshness.refreshIfStale();
  assert.equal(counts.refreshes, 2);
  assert.equal(log.of("settings.refresh_failed").length, 2);
});

Deno.test("a clock that is set back does not make old settings look fresh", async () => {
  const { clock, counts, freshness } = freshnessHarness();
  clock.set(clock.now() - 60 * 60_000);
  await freshness.refreshIfStale();
  assert.equal(counts.refreshes, 1);
});

Deno.test("counters are written once a minute by requests, and at every tick", async () => {
  const { clock, counts, freshness } = freshnessHarness();
  for (let second = 0; second < 120; second += 10) {
    await clock.advance(10_000);
    await freshness.refreshIfStale();
    await clock.advance(0);
  }
  assert.equal(counts.flushes, 2);
  await freshness.refreshNow();
  assert.equal(counts.flushes, 3);
});

Deno.test("requests write no counters before a minute has passed", async () => {
  const { clock, counts, freshness } = freshnessHarness();
  await clock.advance(59_999);
  await freshness.refreshIfStale();
  assert.deepEqual(counts, { refreshes: 1, flushes: 0 });
});

Deno.test("a failure to write counters is logged, and neither a tick nor a request fails", async () => {
  const { clock, log, freshness } = freshnessHarness({
    flush: () => Promise.reject(new Error("unavailable")),
  });
  await freshness.refreshNow();
  await clock.advance(60_000);
  await freshness.refreshIfStale();
  assert.equal(log.of("counters.flush_failed").length, 2);
});

Deno.test("a tick during a refresh waits for it and then refreshes once more", async () => {
  const refreshing = Promise.withResolvers<void>();
  const { clock, counts, freshness } = freshnessHarness({ refresh: () => refreshing.promise });
  await clock.advance(10_000);
  await freshness.refreshIfStale();
  const tick = freshness.refreshNow();
  await clock.advance(0);
  assert.equal(counts.refreshes, 1);
  refreshing.resolve();
  await tick;
  assert.deepEqual(counts, { refreshes: 2, flushes: 1 });
});

Deno.test("a request that has waited for a refresh leaves no timer behind", async () => {
  const { clock, freshness } = freshnessHarness();
  await clock.advance(15_000);
  await freshness.refreshIfStale();
  assert.equal(clock.sleeping, 0);
});

Deno.test("each announced change is followed by a refresh that begins after it, and writes no counters", async () => {
  const { counts, freshness } = freshnessHarness();
  for (let changes = 1; changes <= 3; changes++) {
    await freshness.refreshChanged();
    assert.deepEqual(counts, { refreshes: changes, flushes: 0 });
  }
});

Deno.test("changes that are announced during a refresh are followed by one more, whatever their number", async () => {
  const refreshing = Promise.withResolvers<void>();
  const { clock, counts, freshness } = freshnessHarness({ refresh: () => refreshing.promise });
  const first = freshness.refreshChanged();
  await clock.advance(0);
  const others = [freshness.refreshChanged(), freshness.refreshChanged(), freshness.refreshChanged()];
  await clock.advance(0);
  assert.equal(counts.refreshes, 1);
  refreshing.resolve();
  await Promise.all([first, ...others]);
  assert.equal(counts.refreshes, 2);
});
