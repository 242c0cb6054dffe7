import assert from "node:assert/strict";
import { isoDay } from "../../platform/observe/funnel.ts";
import type { FormDay } from "../../platform/observe/counters.ts";
import { chartDays, periodOf, periodQuery, periodText, previousOf } from "./overview_period.ts";

/** 22 November 2026. */
const TODAY = 20_779;
const of = (query: string) => periodOf(new URLSearchParams(query), TODAY);
const countOn = (day: number): FormDay => ({ day, form: "footer", entries: { accepted: 1 } });

Deno.test("a period of dates includes the first and the last day", () => {
  const period = of("from=2026-11-01&to=2026-11-10");
  assert.deepEqual([isoDay(period.from), isoDay(period.until - 1)], ["2026-11-01", "2026-11-10"]);
  assert.equal(periodText(period), "the 10 days from 1 Nov to 10 Nov");
  assert.equal(periodText(of("from=2026-11-22&to=2026-11-22")), "the day 22 Nov");
});

Deno.test("dates that are invalid, reversed, in the future or more than a year apart select the last 30 days", () => {
  const queries = [
    "",
    "from=2026-11-01",
    "from=2026-11-31&to=2026-12-99",
    "from=2026-11-10&to=2026-11-01",
    "from=2026-11-01&to=2026-11-23",
    "from=2025-11-01&to=2026-11-22",
    "from=1e9&to=<b>",
  ];
  for (const query of queries) {
    assert.deepEqual(of(query), { from: TODAY - 29, until: TODAY + 1, span: 30 }, query);
  }
});

Deno.test("the query of a period selects the same period again", () => {
  for (const query of ["days=7", "days=90", "from=2026-02-27&to=2026-03-02"]) {
    assert.equal(`${new URLSearchParams(periodQuery(of(query)))}`, query);
  }
});

Deno.test("the previous period has the same length and ends the day before", () => {
  const { from, until } = previousOf(of("from=2026-11-01&to=2026-11-10"));
  assert.deepEqual([isoDay(from), isoDay(until - 1)], ["2026-10-22", "2026-10-31"]);
});

Deno.test("the chart starts at the first day with data, shows at least a week, and all days if there is earlier data", () => {
  const period = of("days=30");
  const start = (...days: number[]) => TODAY - chartDays(period, days.map(countOn)).from;
  assert.equal(start(TODAY - 12, TODAY), 12);
  assert.equal(start(TODAY), 6);
  assert.equal(start(), 6);
  assert.equal(start(TODAY - 40, TODAY), 29);
  assert.deepEqual(chartDays(of("from=2026-11-20&to=2026-11-21"), [countOn(TODAY)]).until, TODAY);
});
