import assert from "node:assert/strict";
import type { FormDay } from "../../platform/observe/counters.ts";
import { usualDays } from "./usual_days.ts";

const TODAY = 20_000;
const day = (ago: number, form: string, accepted: number, confirmed: number): FormDay => ({
  day: TODAY - ago,
  form,
  entries: { accepted, "note.confirmed.hook": confirmed },
});

Deno.test("what is usual is the mean of the days since the first signup, for all forms and for each form with enough signups", () => {
  const { all, forms } = usualDays([
    day(10, "footer", 240, 120),
    day(5, "promo", 49, 49),
    day(0, "footer", 5_000, 0),
  ], TODAY);
  assert.deepEqual(all, { signupsPerHour: 289 / 240, confirmationRate: 169 / 289 });
  assert.deepEqual([...forms], [["footer", { signupsPerHour: 1, confirmationRate: 0.5 }]]);
});

Deno.test("a new site knows nothing usual", () => {
  assert.deepEqual(usualDays([day(3, "footer", 49, 20)], TODAY), { forms: new Map() });
  assert.deepEqual(usualDays([], TODAY), { forms: new Map() });
});

Deno.test("signups of an attack that nobody confirmed do not look usual the next day", () => {
  const { all } = usualDays([day(2, "footer", 48, 30), day(1, "footer", 5_000, 0)], TODAY);
  assert.deepEqual(all, { signupsPerHour: 150 / 48, confirmationRate: 0.2 });
});
