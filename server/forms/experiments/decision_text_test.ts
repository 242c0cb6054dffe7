import assert from "node:assert/strict";
import type { Experiment } from "../../settings/schema/experiment_schema.ts";
import type { VariantDay } from "./counts.ts";
import { resultTexts } from "./decision_text.ts";
import { experimentResults } from "./results.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the texts of an experiment after some days, each with the same views and confirmed signups of A and B. */
async function textsOf(perDay: [seen: number, confirmed: number][], days: number, state = "running") {
  const variants = ["Original", "Short", "Long"].slice(0, perDay.length).map((name, index) => ({
    id: "abc"[index],
    name,
    weight: 1,
  }));
  const stopped = state === "stopped" ? { stoppedAt: days * DAY_MS } : {};
  const experiment = { id: "x1", state, startedAt: 0, variants, ...stopped } as unknown as Experiment;
  const counted = Array.from(
    { length: days },
    (_, day) =>
      perDay.map(([seen, confirmed], index): VariantDay => ({
        ...{ day, variant: `x1/${"abc"[index]}`, seen, accepted: confirmed, confirmed, ordered: 0 },
      })),
  ).flat();
  const counts = { days: () => Promise.resolve(counted) };
  const results = await experimentResults(counts, experiment, days * DAY_MS);
  return resultTexts(results, experiment);
}

Deno.test("a result starts with the range and the estimate in a sentence, and then says that it is decided", async () => {
  assert.deepEqual(await textsOf([[151, 20], [153, 60]], 1), {
    estimate: "“Short” brings 1.4 to 7.6 times as many confirmed signups per view as “Original” " +
      "(best estimate: 3 times).",
    decision: "Decided: “Short” wins, with at most a 5% chance that this is luck.",
  });
});

Deno.test("the example of docs/experiments.md is what the page says", async () => {
  const docs = await Deno.readTextFile(new URL("../../../docs/experiments.md", import.meta.url));
  const text = docs.replace(/\n(> )?/g, " ");
  for (const sentence of Object.values(await textsOf([[151, 20], [153, 60]], 1))) {
    assert.ok(text.includes(sentence), sentence);
  }
});

Deno.test("without a decision, a result says how many more visitors and days one needs at the rates and visits so far", async () => {
  const { estimate, decision, outlook } = await textsOf([[100, 5], [100, 8]], 4);
  assert.match(
    estimate!,
    /^“Short” brings 0\.\d+ to [\d.]+ times as many .* \(best estimate: 1\.6 times\)\.$/,
  );
  assert.equal(decision, "Not decided yet: the difference could still be luck.");
  const [, visitors, days] = /needs about ([\d,]+) more visitors: about (\d+) days/.exec(outlook!)!;
  const more = Number(visitors!.replace(",", ""));
  assert.ok(Math.abs(Number(days) - more / 200) <= 1, outlook);
  // They are enough: as many days more, and it is decided.
  assert.match((await textsOf([[100, 5], [100, 8]], 4 + Number(days))).decision, /^Decided: “Short” wins/);
});

Deno.test("a decision that is out of reach, or that nobody can foresee, is called so", async () => {
  const outlookOf = async (...counts: Parameters<typeof textsOf>) => (await textsOf(...counts)).outlook;
  assert.equal(
    await outlookOf([[100, 5], [100, 5]], 4),
    "The rates are so close that no decision is in sight.",
  );
  assert.match((await outlookOf([[100, 30], [100, 31]], 4))!, /more visitors: more than a year\.$/);
  assert.match((await outlookOf([[100, 5], [100, 8]], 1))!, /needs about [\d,]+ more visitors: about/);
  assert.match((await outlookOf([[20, 1], [20, 2]], 2))!, /^Too few signups are confirmed/);
  assert.equal(await outlookOf([[100, 5], [100, 8]], 4, "stopped"), undefined);
  assert.equal(await outlookOf([[151, 20], [153, 60]], 1), undefined);
});

Deno.test("a result names the first variant as winner if all others are worse, and the worse ones before a decision", async () => {
  const first = await textsOf([[1_000, 200], [1_000, 100]], 1);
  assert.match(first.estimate!, /^“Short” brings 0\.\d+ to 0\.\d+ times as many/);
  assert.match(first.decision, /^Decided: “Original” wins, with/);
  const open = await textsOf([[1_000, 200], [1_000, 205], [1_000, 100]], 1);
  assert.match(open.estimate!, /^“Short”/);
  assert.match(open.decision, /^Not decided yet: .* “Long” gets fewer than “Original”, with/);
  const all = await textsOf([[1_000, 200], [1_000, 80], [1_000, 100]], 1);
  assert.match(all.decision, /^Decided: “Original” wins against every other variant, with/);
});

Deno.test("a range without an end, or without a beginning, says at least, or at most", async () => {
  assert.match(
    (await textsOf([[500, 0], [500, 20]], 1)).estimate!,
    /brings at least [\d.]+ times as many .*”\.$/,
  );
  assert.match(
    (await textsOf([[500, 20], [500, 0]], 1)).estimate!,
    /brings at most 0\.\d+ times .*: 0 times\)/,
  );
  assert.equal((await textsOf([[5, 0], [5, 1]], 1)).estimate, undefined);
});
