import assert from "node:assert/strict";
import { SettingsSchema } from "../../settings/schema/schema.ts";
import { experimentReport } from "./report.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the report on an experiment that started a day ago, with all its counts on the first day. */
async function reportOn([seen, confirmed]: [number[], number[]], state = "running") {
  const variants = ["a", "b"].map((id) => ({ id, name: id }));
  const experiment = { id: "x1", state, startedAt: 0, variants };
  const current = () => SettingsSchema.parse({ forms: { forms: [{ name: "footer", experiment }] } });
  const days = () =>
    Promise.resolve(variants.map(({ id }, index) => ({
      ...{ day: 0, variant: `x1/${id}` as const, seen: seen[index]!, confirmed: confirmed[index]! },
      ...{ accepted: 0, ordered: 0 },
    })));
  const deps = { settings: { current }, clock: { now: () => DAY_MS }, experimentCounts: { days } };
  return (await experimentReport(deps, "footer"))!.report;
}

Deno.test("a report says how many more visitors and days a decision needs, as long as it is not decided", async () => {
  const { visitorsNeeded, daysNeeded, winner } = await reportOn([[100, 100], [10, 16]]);
  assert.ok(visitorsNeeded! > 200, String(visitorsNeeded));
  assert.deepEqual([daysNeeded, winner], [Math.ceil(visitorsNeeded! / 200), undefined]);
  const decided = await reportOn([[151, 153], [20, 60]]);
  assert.deepEqual([decided.visitorsNeeded, decided.daysNeeded, decided.winner], [undefined, undefined, "b"]);
  assert.equal((await reportOn([[100, 100], [10, 16]], "stopped")).visitorsNeeded, undefined);
  assert.equal((await reportOn([[100, 100], [10, 10]])).visitorsNeeded, undefined);
});

Deno.test("a report has the ratio of the rates, without what is infinite", async () => {
  const [, both] = (await reportOn([[151, 153], [20, 60]])).variants;
  assert.deepEqual(Object.keys(both!.ratio!).sort(), ["estimate", "from", "to"]);
  const [, none] = (await reportOn([[500, 500], [0, 20]])).variants;
  assert.deepEqual(Object.keys(none!.ratio!), ["from"]);
});
