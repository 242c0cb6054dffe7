import assert from "node:assert/strict";
import fc from "fast-check";
import { type Alerts, alertsOf, type Change, withPlausibleTimes } from "./alerts.ts";
import type { Problem } from "../checks/check.ts";

const MINUTE = 60_000;

const problem = (id: string, tone: Problem["tone"] = "bad"): Problem => ({
  id,
  tone,
  what: `${id}.`,
  todo: "",
});
const DEAD = problem("jobs.dead");
const TROUBLE = problem("provider.trouble", "warn");
const REFUSED = problem("provider.forbidden");

/** Runs a check at each time, and returns the changes as `MINUTES KIND STATE`. */
function run(checks: readonly [minutes: number, ...problems: Problem[]][]): string[] {
  let alerts: Alerts = {};
  return checks.flatMap(([minutes, ...problems]) => {
    const next = alertsOf(problems, alerts, minutes * MINUTE);
    alerts = next.alerts;
    return next.changes.map(({ kind, state }) => `${minutes} ${kind} ${state}`);
  });
}

const every = (step: number, until: number, problemsAt: (minutes: number) => Problem[]) =>
  Array.from(
    { length: Math.floor(until / step) + 1 },
    (_, index): [number, ...Problem[]] => [index * step, ...problemsAt(index * step)],
  );

Deno.test("failed jobs are an alert at once, and resolved at once when they are retried", () => {
  assert.deepEqual(run([[0], [5, DEAD], [10, DEAD], [15], [20]]), ["5 jobs opened", "15 jobs resolved"]);
});

Deno.test("a provider that fails for less than ten minutes is no alert", () => {
  assert.deepEqual(run(every(1, 120, (minutes) => minutes < 10 ? [REFUSED] : [])), []);
});

Deno.test("an outage that is certain is an alert at the first check that finds it", () => {
  const certain: Problem = { ...TROUBLE, certain: true };
  assert.deepEqual(run([[0], [5, certain], [10, certain], [15], [40]]), [
    "5 provider opened",
    "40 provider resolved",
  ]);
});

Deno.test("a provider that fails every other minute for an hour is one alert, resolved half an hour after the last failure", () => {
  assert.deepEqual(run(every(1, 120, (minutes) => minutes <= 60 && minutes % 2 === 0 ? [REFUSED] : [])), [
    "10 provider opened",
    "90 provider resolved",
  ]);
});

Deno.test("while signups are being lost, the alert is repeated once a day, and otherwise never", () => {
  const days = (tone: Problem["tone"]) =>
    run(every(5, 3 * 1440 + 5, () => [problem("provider.trouble", tone)]));
  assert.deepEqual(days("bad"), [
    "10 provider opened",
    "1450 provider repeated",
    "2890 provider repeated",
  ]);
  assert.deepEqual(days("warn"), ["10 provider opened"]);
});

Deno.test("an alert that becomes worse is repeated at once, and only once, however often it changes", () => {
  assert.deepEqual(
    run(every(5, 300, (minutes) => [minutes < 60 || minutes % 10 === 0 ? TROUBLE : REFUSED])),
    ["10 provider opened", "65 provider repeated"],
  );
});

Deno.test("an alert keeps when it opened, and its repetitions when they were caused", () => {
  const opened = (alerts: Alerts) => [alerts.jobs?.opened?.at, alerts.jobs?.opened?.notifiedAt];
  const first = alertsOf([DEAD], {}, MINUTE).alerts;
  assert.deepEqual(opened(first), [MINUTE, MINUTE]);
  const repeated = alertsOf([DEAD], first, 1441 * MINUTE).alerts;
  assert.deepEqual(opened(repeated), [MINUTE, 1441 * MINUTE]);
});

Deno.test("problems that are not worth an alert cause none", () => {
  assert.deepEqual(run([[0, problem("address.http")], [5, problem("cfg.unverified", "warn")]]), []);
});

Deno.test("a clock that is set back repeats and resolves nothing early", () => {
  assert.deepEqual(run([[0, REFUSED], [60, REFUSED], [20, REFUSED], [0], [61]]), [
    "60 provider opened",
    "61 provider resolved",
  ]);
});

Deno.test("whatever happens, each alert opens once, is resolved once, and its notifications are numbered without gaps", () => {
  const check = fc.record({
    after: fc.constantFrom(1, 5, 31, 200, 1440),
    problems: fc.subarray([
      DEAD,
      TROUBLE,
      REFUSED,
      problem("webhook.silent", "warn"),
      problem("backup.failed"),
    ]),
  });
  fc.assert(fc.property(fc.array(check, { maxLength: 60 }), (checks) => {
    let alerts: Alerts = {};
    let now = 0;
    const byAlert = new Map<string, Change[]>();
    for (const { after, problems } of checks) {
      now += after * MINUTE;
      const next = alertsOf(problems, alerts, now);
      alerts = next.alerts;
      for (const change of next.changes) {
        const id = `${change.kind} ${change.alert.since}`;
        byAlert.set(id, [...byAlert.get(id) ?? [], change]);
      }
    }
    for (const [id, changes] of byAlert) {
      assert.deepEqual(changes.map(({ index }) => index), changes.map((_, index) => index));
      const states = changes.map(({ state }) => state);
      assert.equal(states[0], "opened");
      assert.deepEqual(states.slice(1, -1).filter((state) => state !== "repeated"), []);
      const isOpen = Object.entries(alerts).some(([kind, { since }]) => `${kind} ${since}` === id);
      assert.equal(states.at(-1) === "resolved", !isOpen);
    }
  }));
});

Deno.test("an alert that opened while the clock was ahead is repeated after a day and resolved in time", () => {
  const ahead = alertsOf([REFUSED], {}, 365 * 24 * 60 * MINUTE);
  const opened = alertsOf([REFUSED], ahead.alerts, 365 * 24 * 60 * MINUTE + 10 * MINUTE);
  assert.equal(opened.changes[0]?.state, "opened");
  const corrected = withPlausibleTimes(opened.alerts, 0);
  assert.equal(alertsOf([REFUSED], corrected, 24 * 60 * MINUTE).changes[0]?.state, "repeated");
  assert.equal(alertsOf([], corrected, 30 * MINUTE).changes[0]?.state, "resolved");
});
