import assert from "node:assert/strict";
import { hashOf } from "../../../shared/text_hash.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { harness } from "../../../dev/testing/harness.ts";

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

Deno.test("the public settings have neither the names of forms that are off nor their configurations", async () => {
  const shown = await publicSettings("2026-05-01T00:00:00Z");
  const { forms, offForms, opening, popup } = shown;
  assert.deepEqual(Object.keys(forms), ["footer"]);
  assert.deepEqual(
    offForms,
    [hashOf("secret"), hashOf("summer")],
    "pages that have them show nothing",
  );
  const configs = JSON.stringify(shown).matchAll(/"cfg":"([\w-]+)\./g);
  for (const [, payload] of configs) assert.doesNotMatch(atob(payload!), /secret|summer/);
  assert.doesNotMatch(JSON.stringify(shown), /secret|summer|Launch/);
  assert.ok(popup.rules);
  assert.equal(opening, undefined, "neither opens by itself");
});

Deno.test("a schedule begins and ends without a save", async () => {
  const during = await publicSettings("2026-06-01T00:00:00Z");
  assert.deepEqual([Object.keys(during.forms), during.opening], [["summer", "footer"], ["summer"]]);
  assert.equal(during.popup.rules, undefined, "that of the popup has ended");
  const after = await publicSettings("2026-09-01T00:00:00Z");
  assert.deepEqual([Object.keys(after.forms), after.opening], [["footer"], undefined]);
});

Deno.test("no signup reaches a form that is a draft or scheduled, whatever configuration it has", async () => {
  const settings = (own: object) => ({
    form: { texts: { success: "Default." } },
    forms: {
      forms: [{ name: "vip", list: "vip-list", tags: ["vip"], texts: { success: "Secret." }, ...own }],
    },
  });
  await using live = await harness({ settings: settings({}) });
  const { forms } = await (await live.fetch("/cfbe.json?locale=en")).json() as PublicSettings;
  const cfbe_cfg = forms["vip"]!.cfg;
  for (const own of [{ status: "draft" }, { schedule: { from: "2999-01-01T00:00" } }]) {
    await using app = await harness({ settings: settings(own) });
    const signed = await app.post({ email: "ada@example.com", cfbe_cfg });
    const { code, message } = await signed.json();
    assert.deepEqual([signed.status, code, message === "Secret."], [400, "invalid", false]);
    assert.equal((await app.post({ email: "ada@example.com", cfbe_cfg, form: "vip" })).status, 400);
    assert.equal(await app.record("ada@example.com", "vip-list"), null);

    // By its name alone, it can't be told from a form that does not exist.
    const named = [];
    for (const form of ["vip", "no-such-form"]) {
      const email = `${form}@example.com`;
      const response = await app.post({ email, form });
      const { form: recorded, list, tags } = (await app.record(email))!;
      named.push([response.status, await response.text(), recorded, list, tags]);
      const honeypot = await app.post({ email, form, cfbe_hp: "bot" });
      assert.equal((await honeypot.json()).message, "Default.");
    }
    assert.deepEqual(named[0], named[1]);
  }
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
