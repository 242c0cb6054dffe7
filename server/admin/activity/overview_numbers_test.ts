import assert from "node:assert/strict";
import type { FormDay } from "../../platform/observe/counters.ts";
import { entriesOf, funnelOf } from "../../platform/observe/funnel.ts";
import { changeOf, daysOf, formsOf, rateOf, spanOf } from "./overview_numbers.ts";

const TODAY = 20_000;
const row = (ago: number, form: string, entry: string, count: number): FormDay => ({
  day: TODAY - ago,
  form,
  entries: { [entry]: count },
});
const counts = [
  row(0, "footer", "note.seen", 5),
  row(0, "footer", "note.seen", 2),
  row(0, "footer", "accepted", 3),
  row(0, "footer", "requests", 4),
  row(0, "footer", "dropped.honeypot", 1),
  row(1, "popup", "accepted", 1),
  row(1, "popup", "note.confirmed.webhook", 1),
  row(1, "popup", "note.confirmed.poll", 2),
  row(1, "-", "note.cfg_unverified", 4),
  row(7, "footer", "accepted", 9),
];

Deno.test("every day of the period has a row, and partial counts are added up", () => {
  const days = daysOf(counts, { from: TODAY - 6, until: TODAY + 1 });
  assert.deepEqual(days.map(({ day }) => day - TODAY), [-6, -5, -4, -3, -2, -1, 0]);
  assert.deepEqual(days.at(-1), { day: TODAY, seen: 7, accepted: 3, confirmed: 0 });
  assert.deepEqual(days.at(-2), { day: TODAY - 1, seen: 0, accepted: 1, confirmed: 3 });
});

Deno.test("the days of a period add up to its totals, for all forms and for each", () => {
  for (const form of [undefined, "footer", "popup", "nobody"]) {
    const days = daysOf(counts, { from: TODAY - 29, until: TODAY + 1, form });
    const sum = (step: "seen" | "accepted" | "confirmed") => days.reduce((all, day) => all + day[step], 0);
    const total = funnelOf(counts, { from: TODAY - 29, until: TODAY + 1, form });
    assert.deepEqual(total, {
      seen: sum("seen"),
      accepted: sum("accepted"),
      confirmed: sum("confirmed"),
    });
  }
});

Deno.test("forms are sorted by signups; counters without a form are left out", () => {
  const forms = formsOf(counts, { from: TODAY - 6, until: TODAY + 1 });
  assert.deepEqual(forms, [
    { form: "footer", seen: 7, accepted: 3, confirmed: 0 },
    { form: "popup", seen: 0, accepted: 1, confirmed: 3 },
  ]);
});

Deno.test("the previous period ends where the period begins", () => {
  assert.equal(entriesOf(counts, { from: TODAY - 6, until: TODAY + 1 })["accepted"], 4);
  assert.equal(entriesOf(counts, { from: TODAY - 13, until: TODAY - 6 })["accepted"], 9);
});

Deno.test("the confirmation rate is undefined without signups, and at most 100", () => {
  assert.equal(rateOf({ seen: 9, accepted: 0, confirmed: 0 }), undefined);
  assert.equal(rateOf({ seen: 0, accepted: 4, confirmed: 1 }), 25);
  assert.equal(rateOf({ seen: 0, accepted: 1, confirmed: 3 }), 100);
});

Deno.test("a change is described in words, and undefined if the earlier number was zero", () => {
  assert.equal(changeOf(5, 0), undefined);
  assert.equal(changeOf(110, 100), "10% more than");
  assert.equal(changeOf(0, 4), "100% less than");
  assert.equal(changeOf(1000, 1001), "the same as");
});

Deno.test("only the offered periods are accepted", () => {
  assert.deepEqual(["7", "90", "31", "-1", null].map(spanOf), [7, 90, 30, 30, 30]);
});
