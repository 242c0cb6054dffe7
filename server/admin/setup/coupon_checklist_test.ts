import assert from "node:assert/strict";
import { SettingsSchema } from "../../settings/schema/schema.ts";
import { type CouponFacts, couponSteps } from "./coupon_checklist.ts";

const READY: CouponFacts = {
  settings: SettingsSchema.parse({
    general: {
      defaultList: "news",
      knownLists: [{ id: "news", name: "Newsletter", doubleOptIn: true }],
      modules: { coupons: true },
    },
    checkout: { shopUrl: "https://shop.example" },
    forms: { forms: [{ name: "bar", layout: "promo" }] },
    coupon: { template: "welcome" },
  }),
  chosen: { discount: true, list: true },
  shop: { title: "WooCommerce", canCreate: true, missing: [] },
  provider: { configured: true, transactional: true },
  check: { at: 1_763_700_000_000, ok: true },
  codeCreated: true,
  testProblem: undefined,
};

/** Returns the facts with other settings of some tabs. */
function withSettings(tabs: Record<string, object>): CouponFacts {
  const settings = { ...READY.settings } as Record<string, object>;
  for (const [tab, fields] of Object.entries(tabs)) settings[tab] = { ...settings[tab], ...fields };
  return { ...READY, settings: settings as unknown as CouponFacts["settings"] };
}

const stateOf = (facts: CouponFacts, name: string) => {
  const { state, summary } = couponSteps(facts).find((step) => step.name === name)!;
  return [state, summary];
};

Deno.test("with everything set, every step of the Coupons page is done and says what is set", () => {
  assert.deepEqual(couponSteps(READY).map(({ state, summary }) => [state, summary]), [
    ["done", "WooCommerce at https://shop.example."],
    ["done", "10% off, valid for 30 days."],
    ["done", "New subscribers of Newsletter, through Default form and bar."],
    ["done", "The discount is shown by bar."],
    ["done", "Template welcome."],
    ["done", "The shop has created a code."],
    ["done", "Coupons are on."],
  ]);
});

Deno.test("each step says what is missing or wrong, and what to do", () => {
  const { general } = READY.settings;
  const lists = general.knownLists;
  const cases: [CouponFacts, string, string, RegExp][] = [
    [
      { ...READY, shop: { ...READY.shop, missing: ["apiKey", "shopUrl"] } },
      "shop",
      "current",
      /^Enter the consumer key and the shop URL\.$/,
    ],
    [{ ...READY, shop: { ...READY.shop, canCreate: false } }, "shop", "wrong", /Select another shop system/],
    [{ ...READY, check: undefined, codeCreated: false }, "shop", "unchecked", /example\. Not checked yet/],
    [{ ...READY, check: undefined }, "shop", "done", /It has created codes/],
    [{ ...READY, check: { at: 1, ok: false } }, "shop", "wrong", /last code could not be created/],
    [
      { ...READY, check: { at: 1, ok: false, reason: "the shop responded with 404" } },
      "shop",
      "wrong",
      /last code could not be created: the shop responded with 404\.$/,
    ],
    [
      withSettings({ coupon: { kind: "fixed", amount: 5, validDays: 1 } }),
      "discount",
      "done",
      /^5\.00 off in the shop's currency, valid for 1 day\.$/,
    ],
    [withSettings({ general: { defaultList: "" } }), "recipients", "current", /Choose a list/],
    [withSettings({ coupon: { list: "gone" } }), "recipients", "wrong", /no longer exists at the provider/],
    [
      withSettings({
        general: { knownLists: [...lists, { id: "vip", name: "VIP", doubleOptIn: true }] },
        coupon: { list: "vip" },
      }),
      "recipients",
      "wrong",
      /No form subscribes people to VIP/,
    ],
    [withSettings({ forms: { forms: [] } }), "texts", "optional", /No form shows the discount/],
    [withSettings({ coupon: { template: "" } }), "mail", "current", /ID of an email template/],
    [{ ...READY, provider: { configured: true, transactional: false } }, "mail", "wrong", /cannot send/],
    [
      { ...READY, provider: { configured: false, transactional: true } },
      "mail",
      "current",
      /Connect your email provider/,
    ],
    [{ ...READY, codeCreated: false }, "test", "optional", /^Optional/],
    [{ ...READY, testProblem: "No code was created: 401." }, "test", "wrong", /No code was created: 401/],
    [
      withSettings({ general: { modules: { ...general.modules, coupons: false } } }),
      "on",
      "current",
      /off: nobody receives/,
    ],
  ];
  for (const [facts, name, state, text] of cases) {
    const [found, summary] = stateOf(facts, name);
    assert.equal(found, state, `${name}: ${summary}`);
    assert.match(summary!, text);
  }
});

Deno.test("a default discount or list is done once somebody has saved it, or coupons are on", () => {
  const { general } = READY.settings;
  const off = withSettings({ general: { ...general, modules: { ...general.modules, coupons: false } } });
  const untouched = { ...off, chosen: { discount: false, list: false } };
  assert.deepEqual(stateOf(untouched, "discount"), [
    "current",
    "10% off, valid for 30 days. This is the default: save it, or change it.",
  ]);
  assert.deepEqual(stateOf(untouched, "recipients"), [
    "later",
    "New subscribers of Newsletter, through Default form and bar. This is the default: save it, or change it.",
  ]);
  for (const facts of [off, { ...READY, chosen: untouched.chosen }]) {
    for (const step of ["discount", "recipients"]) {
      const [state, summary] = stateOf(facts, step);
      assert.equal(state, "done");
      assert.doesNotMatch(summary!, /default:/);
    }
  }
});

Deno.test("one step is next, even if several are missing, and optional ones are skipped", () => {
  const { general } = READY.settings;
  const facts = {
    ...withSettings({
      coupon: { template: "" },
      forms: { forms: [] },
      general: { modules: { ...general.modules, coupons: false } },
    }),
    codeCreated: false,
  };
  const states = Object.fromEntries(couponSteps(facts).map(({ name, state }) => [name, state]));
  assert.deepEqual([states["texts"], states["mail"], states["test"], states["on"]], [
    "optional",
    "current",
    "optional",
    "later",
  ]);
});

Deno.test("a form subscribes to the coupon's list by its own list or by the default list; the popup and the checkout only while they are in use", () => {
  const summary = (tabs: Record<string, object>) => stateOf(withSettings(tabs), "recipients")[1];
  const forms = [{ name: "a", layout: "inline", list: "" }, { name: "b", layout: "inline", list: "vip" }];
  const lists = ["news", "vip"].map((id) => ({ id, name: id, doubleOptIn: true }));
  const base = { general: { knownLists: lists, defaultList: "news" }, forms: { forms } };
  const vip = { ...base, coupon: { list: "vip" } };
  assert.match(summary(base)!, /of news, through Default form and a\.$/);
  assert.match(summary({ ...base, popup: { enabled: true } })!, /Default form, a, and Popup\.$/);
  assert.match(summary(vip)!, /of vip, through b\.$/);
  assert.match(summary({ ...vip, popup: { list: "vip" } })!, /of vip, through b and Popup\.$/);
  assert.match(summary({ ...vip, checkout: { list: "vip" } })!, /of vip, through b\.$/);
  const modules = { ...READY.settings.general.modules, checkout: true };
  assert.match(
    summary({ ...vip, general: { ...base.general, modules }, checkout: { list: "vip" } })!,
    /of vip, through b and Checkout\.$/,
  );
  const many = Array.from({ length: 9 }, (_, index) => ({ name: `f${index}`, layout: "inline", list: "" }));
  assert.match(summary({ ...base, forms: { forms: many } })!, /Default form, f0, f1, f2, and 6 more\.$/);
});
