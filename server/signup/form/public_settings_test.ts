import assert from "node:assert/strict";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { readFormConfig } from "./signed_config.ts";
import { harness } from "../../testing/harness.ts";

const POPUP = {
  list: "for-popup",
  heading: "Before you go",
  excludePaths: ["/danke"],
  cookieBarSelector: "#bar",
};

async function told(settings: Parameters<typeof harness>[0] & object, locale = "en") {
  await using app = await harness(settings);
  const shown = await (await app.fetch(`/cfbe.json?locale=${locale}`)).json() as PublicSettings;
  return { ...shown, signed: readFormConfig(app.services.keyring, shown.popup.cfg) };
}

Deno.test("a page is told nothing of a popup that is off but what a button needs to open it", async () => {
  const { popup, signed } = await told({ settings: { popup: POPUP } });
  assert.deepEqual(Object.keys(popup).toSorted(), ["cfg", "heading"]);
  assert.deepEqual(signed, { placement: "popup", list: "for-popup", locale: "en" });
});

Deno.test("of a popup that is on a page is told its rules, and never its list but signed", async () => {
  const { popup } = await told({ settings: { popup: { ...POPUP, enabled: true } } });
  assert.deepEqual(popup.rules, {
    triggers: { delaySeconds: 20, scrollPercent: 0, exitIntent: false },
    hideDays: 30,
    cookieBarSelector: "#bar",
    excludePaths: ["/danke"],
  });
  assert.doesNotMatch(JSON.stringify({ ...popup, cfg: "" }), /for-popup/);
});

Deno.test("what a coupon takes off is told as the locale writes it, and only while coupons are on", async () => {
  const coupons = { general: { modules: { coupons: true } } };
  assert.equal((await told({})).coupon, undefined);
  assert.equal((await told({ settings: coupons })).coupon, "Subscribe and get 10% off your next order.");
  assert.match((await told({ settings: coupons }, "de")).coupon ?? "", /^Jetzt anmelden und 10\s% Rabatt/);
  const fixed = {
    ...coupons,
    coupon: { kind: "fixed", amount: 7.5 },
    form: { texts: { coupon: "€ {discount} as a welcome" } },
  };
  assert.equal((await told({ settings: fixed })).coupon, "€ 7.5 as a welcome");
});
