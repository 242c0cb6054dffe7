import assert from "node:assert/strict";
import { siteDay } from "../../settings/schema/time_zone.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
  Deno.test(`what is counted now is in the Overview's last day, whatever day it is in ${zone}`, async () => {
    await using app = await adminHarness({ settings: { general: { timeZone: zone } } });
    const { counters, settings, clock } = app.services;
    counters.count("shortcode", "accepted");
    const today = siteDay(settings.current(), clock.now());
    const counted = async () =>
      (await counters.days(today, today + 1)).map(({ entries }) => entries["accepted"]);
    assert.deepEqual(await counted(), [1]);
    await counters.flush();
    assert.deepEqual(await counted(), [1]);
    const { html } = await (await app.signIn()).page("/overview?days=7");
    assert.match(html, new RegExp(`Days are in ${zone}`));
  });
}

Deno.test("the days of searches in the admin are in the site's time zone", async () => {
  await using app = await adminHarness({ settings: { general: { timeZone: "Pacific/Apia" } } });
  const admin = await app.signIn();
  for (const path of ["/subscribers", "/audit"]) {
    assert.match((await admin.page(path)).html, /Dates are in Pacific\/Apia/, path);
  }
});
