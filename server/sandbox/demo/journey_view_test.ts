import assert from "node:assert/strict";
import { duration, ended, steps, summary } from "./assets/journey_view.js";
import type { JourneyFacts } from "./journey.ts";

const FACTS: JourneyFacts = { acceptedAt: 1_000, dropped: 0 };
const SENT = { ready: true, submitted: 5_000, answered: 7_100 };
const states = (seen: Parameters<typeof steps>[0]) =>
  Object.values(steps(seen)).map((step) => step.state).join(" ");

Deno.test("the steps follow the signup, and no step is ahead of the events", () => {
  const delivered = { ...FACTS, deliveredAt: 1_010 };
  const mailed = { ...delivered, mailedAt: 1_015 };
  assert.equal(states({ facts: null }), "todo todo todo todo todo");
  assert.equal(states({ ready: true, facts: null }), "done todo todo todo todo");
  assert.equal(states({ ready: true, submitted: 5_000, facts: null }), "done doing todo todo todo");
  assert.equal(states({ ...SENT, facts: null }), "done done doing todo todo");
  assert.equal(states({ ...SENT, facts: FACTS }), "done done doing todo todo");
  assert.equal(states({ ...SENT, facts: delivered }), "done done done doing todo");
  assert.equal(states({ ...SENT, facts: mailed }), "done done done done doing");
  assert.equal(states({ ...SENT, facts: { ...mailed, confirmedAt: 9_000 } }), "done done done done done");
});

Deno.test("a single opt-in list skips the confirmation email", () => {
  const facts = { ...FACTS, deliveredAt: 1_010, confirmedAt: 1_020 };
  assert.equal(states({ ...SENT, facts }), "done done done skipped done");
});

Deno.test("an error stops the journey at its step", () => {
  assert.equal(states({ ...SENT, refused: "rate_limited", facts: null }), "done failed todo todo todo");
  const facts: JourneyFacts = { ...FACTS, status: "failed" };
  assert.equal(states({ ...SENT, facts }), "done done failed todo todo");
  assert.ok(ended({ ...SENT, facts }));
});

Deno.test("the wait for the token is not counted as server time", () => {
  const { token, accepted } = steps({ ...SENT, call: { sentAt: 7_000, ms: 95 }, facts: null });
  assert.equal(token.ms, 2_000);
  assert.equal(accepted.ms, 95);
});

Deno.test("durations are never negative, whatever order the server's times have", () => {
  const facts = { ...FACTS, deliveredAt: 1_010, mailedAt: 1_005, confirmedAt: 1_000 };
  for (const step of Object.values(steps({ ...SENT, facts }))) assert.ok((step.ms ?? 0) >= 0);
});

Deno.test("the summary is one sentence at every stage", () => {
  const all = [
    { facts: null },
    { ready: true, facts: null },
    { ready: true, submitted: 1, facts: null },
    { ...SENT, facts: null },
    { ...SENT, refused: "invalid", facts: null },
    { ...SENT, facts: { ...FACTS, deliveredAt: 1, mailedAt: 2 } },
    { ...SENT, facts: { ...FACTS, deliveredAt: 1, mailedAt: 2, confirmedAt: 3 } },
  ];
  assert.equal(new Set(all.map(summary)).size, all.length);
});

Deno.test("durations are shown in the unit a reader expects", () => {
  const rows: [number, string][] = [
    [0, "0 ms"],
    [999.4, "999 ms"],
    [1_000, "1.0 s"],
    [59_949, "59.9 s"],
    [59_990, "1 min 0 s"],
    [754_000, "12 min 34 s"],
  ];
  for (const [ms, text] of rows) assert.equal(duration(ms), text);
});
