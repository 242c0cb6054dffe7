import assert from "node:assert/strict";
import { dayIn, utcDay } from "./days.ts";

const at = (time: string) => Date.parse(time);
const day = (date: string) => at(`${date}T00:00:00Z`) / 86_400_000;

Deno.test("a day begins at midnight in the time zone, also on days with 23 or 25 hours", () => {
  assert.equal(dayIn("Asia/Tokyo", at("2030-03-01T14:59:59Z")), day("2030-03-01"));
  assert.equal(dayIn("Asia/Tokyo", at("2030-03-01T15:00:00Z")), day("2030-03-02"));
  assert.equal(dayIn("America/Los_Angeles", at("2030-03-01T07:59:59Z")), day("2030-02-28"));
  for (const date of ["2030-03-31", "2030-10-27"]) {
    assert.equal(dayIn("Europe/Berlin", at(`${date}T12:00:00Z`)), day(date));
    assert.equal(dayIn("Europe/Berlin", at(`${date}T22:59:59Z`)) >= day(date), true);
  }
  assert.equal(dayIn("UTC", at("2030-03-01T23:59:59Z")), utcDay(at("2030-03-01T23:59:59Z")));
});
