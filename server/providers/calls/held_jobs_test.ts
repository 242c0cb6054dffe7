import assert from "node:assert/strict";
import { EventClock } from "../../../dev/testing/event_clock.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { newJobRow } from "../../platform/jobs/add.ts";
import type { JobRow } from "../../platform/jobs/row.ts";
import { AT_ONCE } from "../../platform/jobs/runner.ts";
import { settle } from "../../platform/jobs/settle.ts";
import type { ListsResult } from "../port/port.ts";
import { createCallBudget } from "./call_budget.ts";

const MINUTE = 60_000;

Deno.test("150 overdue deliveries beside new ones use the whole call budget until all are done", async () => {
  const clock = new EventClock();
  const random = seededRandom(3);
  // 120 requests a minute and three a call, as Kit allows: a call every 1.9 seconds.
  const limits = { perMinute: 120, requestsPerCall: 3 };
  const budget = createCallBudget(() => limits, { clock, random });
  const sentAt: number[] = [];
  const call = (): Promise<ListsResult> => {
    sentAt.push(clock.now());
    return Promise.resolve({ kind: "lists", lists: [] });
  };
  const rows = new Set<JobRow>();
  let running = 0;

  async function attempt(row: JobRow) {
    rows.delete(row);
    running++;
    const started: JobRow = { ...row, state: "running", attempts: row.attempts + 1 };
    const result = await budget.urgent(call, undefined);
    const next = settle(
      started,
      result.kind === "trouble" ? { ...result, kind: "retry" } : { kind: "done" },
      { now: clock.now(), random: random.float() },
    );
    running--;
    if (next.row) add(next.row);
    startDue();
  }
  function add(row: JobRow) {
    rows.add(row);
    clock.at(row.due, startDue);
  }
  function startDue() {
    const due = [...rows].filter(({ due }) => due <= clock.now())
      .toSorted((a, b) => Math.min(a.attempts, 1) - Math.min(b.attempts, 1) || a.due - b.due);
    for (const row of due.slice(0, AT_ONCE - running)) void attempt(row);
  }

  const overdue = Array.from({ length: 150 }, (_, n) => ({ id: `overdue ${n}`, at: 0 }));
  const later = Array.from({ length: 60 }, (_, n) => ({ id: `new ${n}`, at: n * MINUTE / 12 }));
  for (const { id, at } of [...overdue, ...later]) {
    clock.at(at, () => add(newJobRow({ id, name: "cfbe_test", payload: null, due: at }, at, [])));
  }
  await clock.runAll();
  assert.equal(sentAt.length, 210);
  const longest = Math.max(...sentAt.slice(1).map((at, index) => at - sentAt[index]!));
  assert.ok(longest < 4_000, `no call for ${longest} ms`);
});
