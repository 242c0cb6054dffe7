import assert from "node:assert/strict";
import { utcTime } from "./options.ts";

Deno.test("a date or a time without a zone is in UTC, and a zone that is named counts", () => {
  for (
    const [text, time] of [
      ["2026-01-31", "2026-01-31T00:00:00.000Z"],
      ["2026-01-31T18:00", "2026-01-31T18:00:00.000Z"],
      ["2026-01-31T18:00:30.5", "2026-01-31T18:00:30.500Z"],
      ["2026-01-31T18:00Z", "2026-01-31T18:00:00.000Z"],
      ["2026-01-31T18:00:00+02:00", "2026-01-31T16:00:00.000Z"],
    ] as const
  ) assert.equal(new Date(utcTime(text)).toISOString(), time, text);
});

Deno.test("a date that is not ISO 8601 or not in the calendar is refused, and the error shows how to write it", () => {
  for (
    const text of [
      "01.02.2026",
      "01/02/2026",
      "31 January 2026",
      "2026",
      "2026-02-30",
      "2026-01-31T25:00",
      "2026-01-31Z",
      "2026-01-31 18:00",
      "",
    ]
  ) {
    assert.throws(
      () => utcTime(text),
      /Must be a date like 2026-01-31, or a time like 2026-01-31T18:00, in UTC unless it ends with a zone like \+02:00\./,
      text,
    );
  }
});
