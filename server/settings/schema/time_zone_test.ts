import assert from "node:assert/strict";
import { machineZone, siteZone } from "./time_zone.ts";
import { SettingsSchema } from "./schema.ts";

Deno.test("the site's time zone is that of the settings, or else the machine's, and never an unknown one", () => {
  const zoneOf = (general: { timeZone?: string }) => siteZone(SettingsSchema.parse({ general }));
  assert.equal(zoneOf({}), machineZone());
  assert.equal(zoneOf({ timeZone: "Asia/Tokyo" }), "Asia/Tokyo");
  assert.throws(() => zoneOf({ timeZone: "Moon/Base" }), /must be a time zone such as/);
});
