import assert from "node:assert/strict";
import { harness } from "../../../dev/testing/harness.ts";
import { settingsAt, stateOfForm } from "./form_state.ts";
import { schedule } from "../schema/status_schema.ts";
import { minuteIn } from "../schema/utc_offsets.ts";

const NEW_YEAR = Date.parse("2026-12-31T23:30:00Z");

Deno.test("a form is shown from the start of its schedule to its end, in the site's time zone", () => {
  const during = { schedule: { from: "2027-01-01T00:00", until: "2027-01-02T00:00" } };
  const day = 24 * 60 * 60_000;
  const states = (zone: string) =>
    [NEW_YEAR - day, NEW_YEAR, NEW_YEAR + day].map((now) => stateOfForm(during, now, zone));
  assert.deepEqual(states("UTC"), ["scheduled", "scheduled", "live"]);
  assert.deepEqual(states("Europe/Berlin"), ["scheduled", "live", "ended"]);
  assert.equal(minuteIn("Asia/Kolkata", NEW_YEAR), "2027-01-01T05:00");
});

Deno.test("a schedule starts and ends once, also while clocks are changed", () => {
  const hours = (day: string, schedule: { from?: string; until?: string }) => {
    const start = Date.parse(`${day}T00:00Z`);
    return Array.from(
      { length: 8 },
      (_, half) => stateOfForm({ schedule }, start + half * 30 * 60_000, "Europe/Berlin"),
    ).filter((state, index, all) => state !== all[index - 1]);
  };
  for (const time of ["02:00", "02:30", "03:00"]) {
    assert.deepEqual(hours("2026-10-25", { until: `2026-10-25T${time}` }), ["live", "ended"]);
    assert.deepEqual(hours("2026-10-25", { from: `2026-10-25T${time}` }), ["scheduled", "live"]);
    assert.deepEqual(hours("2026-03-29", { until: `2026-03-29T${time}` }), ["live", "ended"]);
    assert.deepEqual(hours("2026-03-29", { from: `2026-03-29T${time}` }), ["scheduled", "live"]);
  }
});

Deno.test("a draft or paused form is not shown, whatever its schedule", () => {
  const open = { from: "2026-01-01T00:00" };
  assert.equal(stateOfForm({ status: "draft", schedule: open }, NEW_YEAR, "UTC"), "draft");
  assert.equal(stateOfForm({ status: "paused", schedule: open }, NEW_YEAR, "UTC"), "paused");
  assert.equal(stateOfForm({ schedule: {} }, NEW_YEAR, "UTC"), "live");
});

Deno.test("a schedule with an impossible time, or that ends before it starts, is refused", () => {
  const problem = (value: unknown) => schedule.safeParse(value).error?.issues[0]?.message;
  assert.match(problem({ from: "2026-02-30T09:00" })!, /must be a date and time with/);
  assert.match(problem({ from: "tomorrow" })!, /must be a date and time with/);
  assert.equal(problem({ from: "2026-02-02T09:00", until: "2026-02-02T09:00" }), "must be after the start");
  assert.equal(problem({ from: "2026-02-02T09:00", until: "2026-02-02T09:01" }), undefined);
});

Deno.test("settings at a time are the same object while the same forms are off", async () => {
  await using app = await harness({ settings: { forms: { forms: [{ name: "footer", status: "paused" }] } } });
  const settings = app.services.settings.current();
  const first = settingsAt(settings, NEW_YEAR);
  assert.deepEqual([...first.off], ["footer"]);
  assert.equal(settingsAt(settings, NEW_YEAR + 1).settings, first.settings);
});
