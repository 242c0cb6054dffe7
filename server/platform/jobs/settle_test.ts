import assert from "node:assert/strict";
import fc from "fast-check";
import type { JobRow } from "./row.ts";
import type { AttemptResult } from "./result.ts";
import { settle } from "./settle.ts";

const NOW = Date.UTC(2025, 0, 1);
const DAY = 86_400_000;
const at = { now: NOW, random: 0.5 };

function running(patch: Partial<JobRow> = {}): JobRow {
  return {
    v: 1,
    id: "k",
    name: "cfbe_test",
    payload: "first",
    state: "running",
    attempts: 3,
    failures: 2,
    createdAt: NOW - 1_000,
    since: NOW - 1_000,
    due: NOW - 1_000,
    lease: { token: "t", until: NOW + 1 },
    unknown: false,
    history: [],
    ...patch,
  };
}

Deno.test("a snooze counts neither as an attempt nor toward the age, and leaves no unknown result", () => {
  const { row } = settle(running({ since: NOW - 5 * DAY }), {
    kind: "snooze",
    until: NOW + 60_000,
    reason: "busy",
  }, at);
  assert.deepEqual([row?.attempts, row?.due, row?.unknown], [2, NOW + 60_000, false]);
  assert.equal(row?.since, NOW + 60_000);
});

Deno.test("a snooze into the past waits a second, and one with an invalid time is a retry", () => {
  assert.equal(settle(running(), { kind: "snooze", until: 0, reason: "" }, at).row?.due, NOW + 1_000);
  const { row } = settle(running(), { kind: "snooze", until: NaN, reason: "bad date" }, at);
  assert.deepEqual([row?.attempts, row?.due], [3, NOW + 60_000]);
});

Deno.test("what was added while the job ran ends a snooze, but not the backoff after a failure", () => {
  const next = { payload: "second", due: NOW + 5 };
  const snoozed = settle(running({ next }), { kind: "snooze", until: NOW + DAY, reason: "" }, at).row;
  assert.deepEqual([snoozed?.payload, snoozed?.due, snoozed?.next], ["second", NOW + 5, undefined]);
  const failed = settle(running({ next }), { kind: "retry", reason: "", retryAfterMs: 3_600_000 }, {
    ...at,
    merge: (older, newer) => `${older}+${newer}`,
  }).row;
  assert.deepEqual([failed?.payload, failed?.due], ["first+second", NOW + 3_600_000]);
});

Deno.test("a job that waits for a call counts neither an attempt nor a failure, and hides none", () => {
  const before = running({
    since: NOW - 5 * DAY,
    failures: 20,
    history: [{ at: NOW - DAY, note: "HTTP 503" }],
  });
  const waits: AttemptResult = {
    kind: "retry",
    reason: "full",
    held: true,
    retryAfterMs: 5_000,
    unknown: true,
  };
  const { row, outcome } = settle(before, waits, at);
  assert.deepEqual([outcome.kind, row?.attempts, row?.failures, row?.due], ["waiting", 2, 20, NOW + 5_000]);
  assert.deepEqual([row?.unknown, row?.since, row?.notBefore], [true, before.since, undefined]);
  const { row: again } = settle({ ...row!, state: "running" }, waits, { ...at, now: NOW + 5_000 });
  assert.deepEqual(again?.history, [{ at: NOW - DAY, note: "HTTP 503" }, { at: NOW + 5_000, note: "full" }]);
  assert.deepEqual([row?.heldSince, again?.heldSince], [NOW, NOW]);
  const { row: failed } = settle({ ...again!, state: "running" }, { kind: "retry", reason: "HTTP 503" }, at);
  assert.equal(failed?.heldSince, undefined);
});

Deno.test("the wait that a provider asked for ends with the next failure that asks for none, so that a new cause runs at once", () => {
  const failing = running({ notBefore: NOW + DAY / 4 });
  const after = (result: AttemptResult, since = NOW) =>
    settle({ ...failing, since }, result, at).row!.notBefore;
  assert.equal(after({ kind: "retry", reason: "HTTP 503" }), undefined);
  assert.equal(after({ kind: "postpone", reason: "hook failed" }), undefined);
  assert.equal(after({ kind: "retry", reason: "HTTP 429", retryAfterMs: 60_000 }), NOW + 60_000);
  assert.equal(after({ kind: "snooze", until: NOW + 60_000, reason: "busy" }), NOW + DAY / 4);
});

Deno.test("attempts whose process died do not increase the backoff", () => {
  const { row } = settle(running({ attempts: 9, failures: 0 }), { kind: "retry", reason: "503" }, at);
  assert.deepEqual([row?.failures, row?.due], [1, NOW + 15_000]);
});

Deno.test("an unknown result stays unknown until the job ends", () => {
  const uncertain = settle(running(), { kind: "retry", reason: "timeout", unknown: true }, at).row!;
  assert.equal(uncertain.unknown, true);
  const still = settle({ ...uncertain, state: "running" }, { kind: "retry", reason: "refused" }, at).row;
  assert.equal(still?.unknown, true);
});

Deno.test("a job that has failed for three days since its newest cause is dead, with its last error", () => {
  const old = running({ since: NOW - 3 * DAY - 1, createdAt: NOW - 9 * DAY, failures: 11 });
  const { row, outcome } = settle(old, { kind: "retry", reason: "HTTP 500" }, at);
  const reason = "not done within 3 days, in 12 attempts; last error: HTTP 500";
  assert.deepEqual(outcome, { kind: "dead", reason });
  assert.deepEqual([row?.state, row?.due, row?.lease], ["dead", NOW, undefined]);
  assert.equal(settle({ ...old, since: NOW }, { kind: "retry", reason: "" }, at).outcome.kind, "waiting");
});

Deno.test("the time before a job's first failure does not count: no process may have run", () => {
  const queued = running({ since: NOW - 9 * DAY, createdAt: NOW - 9 * DAY, failures: 0 });
  const { row } = settle(queued, { kind: "retry", reason: "no network yet" }, at);
  assert.deepEqual([row?.state, row?.since], ["waiting", NOW]);
});

Deno.test("a job whose onDead hook failed is retried, its age unchanged", () => {
  const old = running({ since: NOW - 9 * DAY });
  const { row } = settle(old, { kind: "postpone", reason: "hook failed" }, at);
  assert.deepEqual([row?.state, row?.since, row?.due], ["waiting", old.since, NOW + 60_000]);
});

Deno.test("a job with a newer cause starts again instead of becoming dead", () => {
  const { row, outcome } = settle(
    running({ next: { payload: "second", due: NOW } }),
    { kind: "dead", reason: "bad payload" },
    at,
  );
  assert.equal(outcome.kind, "again");
  assert.deepEqual([row?.state, row?.payload, row?.attempts], ["waiting", "second", 0]);
});

Deno.test("a job that is done or canceled is deleted, or starts again for a newer cause", () => {
  const next = { payload: "second", due: NOW };
  for (const result of [{ kind: "done" }, { kind: "cancel", reason: "unsubscribed" }] as const) {
    assert.deepEqual(settle(running(), result, at), { row: null, outcome: { kind: "ended" } });
    const { row, outcome } = settle(running({ next }), result, at);
    assert.deepEqual([row?.payload, outcome], ["second", { kind: "again" }]);
  }
});

Deno.test("the age of a job that got a newer cause counts from the later of now and when that is due", () => {
  const sinceAfter = (due: number) =>
    settle(running({ next: { payload: "second", due } }), { kind: "retry", reason: "HTTP 500" }, at).row
      ?.since;
  assert.equal(sinceAfter(NOW + DAY), NOW + DAY);
  assert.equal(sinceAfter(NOW - 500), NOW);
});

Deno.test("a retry of an attempt that certainly had no effect leaves no unknown result", () => {
  assert.equal(settle(running(), { kind: "retry", reason: "HTTP 429" }, at).row?.unknown, false);
});

Deno.test("the history records the result of each attempt", () => {
  const next = { payload: "second", due: NOW };
  const notes: [AttemptResult, Partial<JobRow>, note: string][] = [
    [{ kind: "done" }, { next }, "done"],
    [{ kind: "cancel", reason: "erased" }, { next }, "cancelled: erased"],
    [{ kind: "dead", reason: "bad payload" }, { next }, "failed permanently: bad payload"],
    [{ kind: "dead", reason: "bad payload" }, {}, "failed permanently: bad payload"],
    [{ kind: "retry", reason: "HTTP 500" }, {}, "HTTP 500"],
    [{ kind: "snooze", until: NOW + DAY, reason: "busy" }, {}, "snoozed: busy"],
    [{ kind: "snooze", until: NaN, reason: "busy" }, {}, "snoozed until NaN: busy"],
    [{ kind: "postpone", reason: "hook failed" }, {}, "hook failed"],
  ];
  for (const [result, patch, note] of notes) {
    assert.deepEqual(settle(running(patch), result, at).row?.history, [{ at: NOW, note }]);
  }
});

Deno.test("after any result the row stays small and has no lease and no next", () => {
  const result: fc.Arbitrary<AttemptResult> = fc.oneof(
    fc.record({ kind: fc.constantFrom("cancel", "dead", "postpone", "retry"), reason: fc.string() }),
    fc.record({ kind: fc.constant("snooze"), until: fc.double(), reason: fc.string() }),
    fc.constant({ kind: "done" }),
  ) as fc.Arbitrary<AttemptResult>;
  const next = fc.option(fc.constant({ payload: 1, due: NOW }), { nil: undefined });
  const age = fc.nat(6 * DAY);
  fc.assert(fc.property(result, next, age, (result, next, age) => {
    const history = Array.from({ length: 10 }, () => ({ at: 0, note: "x".repeat(300) }));
    const before = running({ since: NOW - age, history, ...(next && { next }) });
    const { row } = settle(before, result, at);
    if (next) assert(row, "the added payload is not lost");
    if (!row) return;
    assert.notEqual(row.state, "running");
    assert(!("lease" in row) && !("next" in row));
    assert(row.history.length <= 10 && row.history.every(({ note }) => note.length <= 300));
    assert(Number.isFinite(row.due));
  }));
});
