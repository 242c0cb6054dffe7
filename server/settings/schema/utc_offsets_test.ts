import assert from "node:assert/strict";
import fc from "fast-check";
import { DAYS, evaluateTargeting, type UtcOffset } from "../../../shared/targeting.ts";
import { VISIT } from "../../../shared/testing/visit.ts";
import { utcOffsets } from "./utc_offsets.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 23);

/** Returns the offsets with their times as texts, and in hours. */
const readable = (offsets: UtcOffset[]) =>
  offsets.map(([since, offset]) => `${new Date(since).toISOString().slice(0, 16)} ${offset / HOUR}`);

Deno.test("the offsets of two years begin to the minute when clocks change", () => {
  const since1970 = "1970-01-01T00:00";
  assert.deepEqual(readable(utcOffsets("Europe/Berlin", NOW)), [
    `${since1970} 2`,
    "2026-10-25T01:00 1",
    "2027-03-28T01:00 2",
    "2027-10-31T01:00 1",
    "2028-03-26T01:00 2",
    "2028-10-29T01:00 1",
  ]);
  assert.deepEqual(readable(utcOffsets("America/New_York", NOW)).slice(0, 3), [
    `${since1970} -4`,
    "2026-11-01T06:00 -5",
    "2027-03-14T07:00 -4",
  ]);
  assert.deepEqual(readable(utcOffsets("Pacific/Chatham", NOW)).slice(0, 3), [
    `${since1970} 13.75`,
    "2027-04-03T14:00 12.75",
    "2027-09-25T14:00 13.75",
  ]);
  assert.deepEqual(readable(utcOffsets("Australia/Lord_Howe", NOW)).slice(0, 3), [
    `${since1970} 10.5`,
    "2026-10-03T15:30 11",
    "2027-04-03T15:00 10.5",
  ]);
});

Deno.test("a time zone without daylight saving time has one offset", () => {
  for (const [zone, hours] of Object.entries({ UTC: 0, "Asia/Kolkata": 5.5, "Pacific/Kiritimati": 14 })) {
    assert.deepEqual(utcOffsets(zone, NOW), [[0, hours * HOUR]]);
  }
});

Deno.test("in every time zone, day and time by the offsets are those of the calendar, for two years, with an old copy too", () => {
  // Half an hour, quarters of an hour, an evening, and a month in each year.
  const unusual = ["Australia/Lord_Howe", "Pacific/Chatham", "America/Nuuk", "Africa/Casablanca"];
  const formats = new Map(
    [...Intl.supportedValuesOf("timeZone"), "UTC", ...unusual].map((timeZone) => [
      timeZone,
      new Intl.DateTimeFormat("en-US", {
        timeZone,
        weekday: "short",
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
      }),
    ]),
  );
  const zone = fc.oneof(fc.constantFrom(...formats.keys()), fc.constantFrom(...unusual));
  const sinceCopy = fc.integer({ min: -28 * DAY, max: 2 * 365 * DAY });
  fc.assert(
    fc.property(zone, sinceCopy, (timeZone, since) => {
      const now = NOW + since;
      const [day, time] = formats.get(timeZone)!.format(now).replace(",", "").split(" ") as [string, string];
      const next = new Date(Date.parse(`1970-01-01T${time}Z`) + 60_000).toISOString().slice(11, 16);
      const days = [DAYS.find((each) => each === day.toLowerCase())!];
      const offsets = utcOffsets(timeZone, NOW);
      const condition = { kind: "time" as const, days, from: time, to: next, timeZone, offsets };
      assert.ok(evaluateTargeting([{ conditions: [condition] }], { ...VISIT, now }).holds);
    }),
    { numRuns: 3000 },
  );
});

Deno.test("the offsets stay the same for a whole month, so that browsers need not load the settings again", () => {
  const zone = "Europe/Berlin";
  assert.deepEqual(utcOffsets(zone, Date.UTC(2026, 10)), utcOffsets(zone, Date.UTC(2026, 11) - 1));
  assert.notDeepEqual(utcOffsets(zone, Date.UTC(2026, 10)), utcOffsets(zone, Date.UTC(2026, 11)));
});
