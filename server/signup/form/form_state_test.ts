import assert from "node:assert/strict";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { harness } from "../../testing/harness.ts";

const OPENS = { kind: "slide-in" as const };
const settings = {
  general: { timeZone: "UTC" },
  forms: {
    forms: [
      { name: "secret", status: "draft" as const, heading: "Launch offer", opens: OPENS },
      { name: "summer", schedule: { from: "2026-06-01T00:00", until: "2026-09-01T00:00" }, opens: OPENS },
      { name: "footer" },
    ],
  },
  popup: { enabled: true, schedule: { until: "2026-06-01T00:00" } },
};

async function publicSettings(at: string) {
  await using app = await harness({ settings });
  app.clock.set(Date.parse(at));
  return await (await app.fetch("/cfbe.json?locale=en")).json() as PublicSettings;
}

Deno.test("a form that is off reveals nothing but what a cached page needs to send its signups", async () => {
  const { forms, opening, popup } = await publicSettings("2026-05-01T00:00:00Z");
  assert.deepEqual(Object.keys(forms["secret"]!), ["layout", "cfg", "off"]);
  assert.deepEqual([forms["summer"]!.off, forms["footer"]!.off], [true, undefined]);
  assert.ok(popup.rules);
  assert.equal(opening, undefined, "neither opens by itself");
});

Deno.test("a schedule begins and ends without a save", async () => {
  const during = await publicSettings("2026-06-01T00:00:00Z");
  assert.deepEqual([during.forms["summer"]!.off, during.opening], [undefined, ["summer"]]);
  assert.equal(during.popup.rules, undefined, "that of the popup has ended");
  const after = await publicSettings("2026-09-01T00:00:00Z");
  assert.deepEqual([after.forms["summer"]!.off, after.opening], [true, undefined]);
});

Deno.test("a page cached before its form was paused loses no signup", async () => {
  await using app = await harness({ settings: { forms: { forms: [{ name: "footer", tags: ["own"] }] } } });
  const { forms } = await (await app.fetch("/cfbe.json?locale=en")).json() as PublicSettings;
  await using paused = await harness({
    settings: { forms: { forms: [{ name: "footer", tags: ["own"], status: "paused" }] } },
  });
  const page = await paused.fetch("/form/footer");
  await page.body?.cancel();
  assert.equal(page.status, 404);
  const cached = { source: "shortcode", form: "footer", cfbe_cfg: forms["footer"]!.cfg };
  const response = await paused.post({ ...cached, email: "ada@example.com" });
  assert.equal((await response.json()).code, "pending");
  const { form, tags } = (await paused.record("ada@example.com"))!;
  assert.deepEqual([form, tags], ["footer", ["own", "placement-footer"]]);
});
