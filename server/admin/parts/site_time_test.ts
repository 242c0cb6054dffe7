import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { recentMomentText, zonedMomentText } from "../frame/dates.ts";

Deno.test("a page shows times in the site's time zone, as its filter by day means them, and names the zone once", async () => {
  await using app = await adminHarness({ settings: { general: { timeZone: "Pacific/Auckland" } } });
  assert.equal(new Date(app.clock.now()).toISOString(), "2025-01-01T12:00:00.000Z");
  await (await app.post({ email: "ada@example.com" })).body?.cancel();
  await app.work();
  const admin = await app.signIn();
  const on = async (day: string) => (await admin.page(`/subscribers?from=${day}&until=${day}`)).html;
  const shown = await on("2025-01-02");
  assert.match(shown, /<time dateTime="2025-01-01T12:00[^>]*>2 Jan,? (at )?01:00<\/time>/i);
  assert.equal(shown.match(/Times are in Pacific\/Auckland\./g)?.length, 1);
  const none = await on("2025-01-01");
  assert.match(none, /No signup matches/);
  assert.doesNotMatch(none, /Times are in/);
});

Deno.test("a time has its year unless that is the current one in the zone", () => {
  const at = Date.parse("2025-12-31T23:30:00Z");
  assert.equal(zonedMomentText(at, "UTC"), "31 Dec 2025, 23:30");
  assert.equal(zonedMomentText(at, "UTC", at), "31 Dec, 23:30");
  assert.equal(zonedMomentText(at, "UTC", at + 3_600_000), "31 Dec 2025, 23:30");
  assert.equal(recentMomentText(at, "UTC", at + 60_000), "23:30");
  assert.equal(recentMomentText(at, "UTC", at + 3_600_000), "31 Dec 2025, 23:30");
  assert.equal(recentMomentText(at, "Europe/Berlin", at + 86_400_000), "1 Jan, 00:30");
  assert.equal(zonedMomentText(at, "Europe/Berlin", at + 3_600_000), "1 Jan, 00:30");
});
