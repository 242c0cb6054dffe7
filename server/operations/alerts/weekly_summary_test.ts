import assert from "node:assert/strict";
import { writeRow } from "../../platform/jobs/row.ts";
import { newJobRow } from "../../platform/jobs/add.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { TEST_FORM } from "../../forms/public/test_form.ts";
import { checkAlerts } from "./check_job.ts";
import { pastAlerts } from "./rows.ts";
import { isEmpty, latestMonday, mondayOfRow, readSummary, summaryText } from "./weekly_summary.ts";

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();
const mondayAt = (now: string, zone: string) => iso(latestMonday(Date.parse(now), zone).at);

Deno.test("the summary is due on Monday at nine in the operator's time zone, in summer and winter", () => {
  assert.equal(mondayAt("2026-11-23T08:00:00Z", "Europe/Berlin"), "2026-11-23T08:00:00.000Z");
  assert.equal(mondayAt("2026-11-23T07:59:59Z", "Europe/Berlin"), "2026-11-16T08:00:00.000Z");
  assert.equal(mondayAt("2026-07-12T23:00:00Z", "Europe/Berlin"), "2026-07-06T07:00:00.000Z");
  assert.equal(mondayAt("2026-11-23T00:30:00Z", "Pacific/Auckland"), "2026-11-22T20:00:00.000Z");
  assert.equal(mondayAt("2026-11-23T10:00:00Z", "America/Los_Angeles"), "2026-11-16T17:00:00.000Z");
  assert.equal(mondayAt("2026-11-29T23:59:00Z", "UTC"), "2026-11-23T09:00:00.000Z");
});

Deno.test("the summary compares two weeks, and contains neither test signups nor an address", async () => {
  await using app = await harness();
  const { services, clock, kv } = app;
  const { counters } = services;
  const { monday } = latestMonday(clock.now() + 7 * DAY, "UTC");
  const goTo = async (day: number) => await clock.advance(day * DAY + 3_600_000 - clock.now());
  const count = (signups: number, dropped: number) => {
    for (let i = 0; i < signups; i++) counters.count("footer", "accepted");
    for (let i = 0; i < dropped; i++) counters.count("footer", "dropped.honeypot");
    counters.count(TEST_FORM, "accepted");
    counters.note("confirmed.poll", "footer");
    counters.note("seen", "footer");
  };
  await goTo(monday - 14 + 7 - 1);
  count(2, 5);
  await goTo(monday - 1);
  count(3, 0);
  counters.count("footer", "invalid.fields");
  const job = newJobRow(
    { id: "deliver:l:ann@example.com", name: "cfbe_x", payload: {}, due: clock.now() },
    clock.now(),
    [],
  );
  const tx = kv.atomic();
  writeRow(tx, null, { ...job, state: "dead" });
  await tx.commit();
  await goTo(monday);
  count(9, 9);
  const summary = await readSummary(services, monday, "UTC");
  assert.deepEqual(summary, {
    from: iso((monday - 7) * DAY).slice(0, 10),
    to: iso((monday - 1) * DAY).slice(0, 10),
    signups: 3,
    confirmed: 1,
    notAccepted: { "invalid.fields": 1 },
    failedJobs: 1,
    before: { signups: 2, confirmed: 1, notAccepted: { "dropped.honeypot": 5 }, failedJobs: 0 },
  });
  assert.match(
    summaryText(summary),
    /: signups 3 \(2\), confirmed 1 \(1\), requests not accepted 1 \(5\), failed jobs 1 \(0\)\.$/,
  );
  assert.doesNotMatch(JSON.stringify(summary), /@/);
});

Deno.test("without any request in two weeks there is nothing to report", async () => {
  await using app = await harness();
  assert.equal(isEmpty(await readSummary(app.services, 20_000, "UTC")), true);
});

Deno.test("a week has one summary although the time zone changes, also after an update, and next week has one after a wrong clock", () => {
  const zones = [
    "Europe/Berlin",
    "America/Los_Angeles",
    "Asia/Tokyo",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
  ];
  const start = Date.parse("2026-11-23T00:30:00Z");
  for (const zone of zones) {
    const { at: summaryDue, monday: summaryMonday } = latestMonday(start + DAY, zone);
    for (const row of [{ summaryDue, summaryMonday }, { summaryDue }]) {
      assert.equal(mondayOfRow({ v: 1, alerts: {}, ...row }, start + DAY), summaryMonday, zone);
    }
    for (const other of zones) assert.equal(latestMonday(start + 2 * DAY, other).monday, summaryMonday);
  }
  const ahead = latestMonday(start + 365 * DAY, "UTC");
  const row = { v: 1, alerts: {}, summaryDue: ahead.at, summaryMonday: ahead.monday } as const;
  assert.equal(mondayOfRow(row, start + DAY), latestMonday(start + DAY, "UTC").monday);
});

Deno.test("the check of alerts writes one summary a week although the time zone changes in between", async () => {
  await using app = await harness();
  const { services, clock, kv } = app;
  const check = async (at: string, zone: string) => {
    await clock.advance(Date.parse(at) - clock.now());
    const problems = { readProblems: () => Promise.resolve([]), baseUrl: "https://news.example" };
    await checkAlerts({ ...services, ...problems, zone: () => zone }).handle({} as never);
    return (await pastAlerts(kv)).filter(({ kind }) => kind === "summary").length;
  };
  const monday = latestMonday(clock.now() + 14 * DAY, "UTC").at;
  const at = (hours: number) => iso(monday + hours * 3_600_000);
  await check(at(-7 * 24), "UTC");
  services.counters.count("footer", "accepted");
  assert.equal(await check(at(-12), "Asia/Tokyo"), 0);
  assert.equal(await check(at(-8), "Asia/Tokyo"), 1, "nine o'clock in Tokyo");
  assert.equal(await check(at(1), "UTC"), 1);
  assert.equal(await check(at(10), "America/Los_Angeles"), 1);
  services.counters.count("footer", "accepted");
  assert.equal(await check(at(7 * 24 + 9), "America/Los_Angeles"), 2, "the next week has one");
});
