import assert from "node:assert/strict";
import type { Gate } from "../../platform/kv/gate.ts";
import { type Plan, planMove } from "./plan.ts";

const gate = (phase: Gate["phase"], id = "this", to = "there"): Gate => ({
  v: 1,
  phase,
  id,
  to,
  sealed: "",
  at: 1,
});

/** What both gates say, whether the new database is empty, and what follows. */
const CASES: [Gate | undefined, Gate | undefined, boolean, Plan | RegExp][] = [
  [undefined, undefined, true, "begin"],
  [undefined, undefined, false, /not empty/],
  [undefined, gate("receiving"), true, /unfinished move of another database/],
  [undefined, gate("moved"), false, /not empty/],
  [gate("copying"), undefined, true, "resume"],
  [gate("copying"), undefined, false, /not empty/],
  [gate("copying"), gate("receiving"), false, "resume"],
  [gate("closing"), gate("receiving"), false, "resume"],
  [gate("copying"), gate("receiving", "other"), false, /unfinished move of another database/],
  [gate("copying", "this", "elsewhere"), undefined, true, /A move to elsewhere has begun/],
  [gate("moved"), gate("receiving"), false, "finish"],
  [gate("moved"), undefined, false, "done"],
  [gate("moved"), undefined, true, /has already moved to there/],
  [gate("moved", "this", "elsewhere"), undefined, false, /has already moved to elsewhere/],
  [gate("receiving"), undefined, true, /a move to it was not finished/],
];

Deno.test("a move begins only into an empty database, and goes on only where it was interrupted", () => {
  for (const [source, target, targetIsEmpty, expected] of CASES) {
    const plan = () => planMove({ source, target, targetIsEmpty, to: "there" });
    if (typeof expected === "string") assert.equal(plan(), expected);
    else assert.throws(plan, { name: "MoveRefused", message: expected });
  }
});
