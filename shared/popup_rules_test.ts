import assert from "node:assert/strict";
import fc from "fast-check";
import type { PopupRules } from "./public_settings.ts";
import {
  type PageView,
  placeBlockers,
  type PopupBlocker,
  popupBlockers,
  type PopupState,
} from "./popup_rules.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2030, 0, 1);
const OPEN_PAGE: PageView = {
  path: "/",
  classes: [],
  pageTypes: [],
  targeted: true,
  hidden: false,
  visibleMs: 60_000,
  scrolledPercent: 100,
  pointerLeft: true,
  fired: true,
  blockers: [],
};
const FRESH: PopupState = { popup: undefined, shown: false, cancelled: false };
const RULES: PopupRules = {
  triggers: { delaySeconds: 20, scrollPercent: 0, exitIntent: false },
  hideDays: 30,
  cookieBarSelector: "",
  excludePaths: [],
};

const SHOP = ["cart", "basket", "checkout", "checkouts", "my-account", "account"];
const blocker = fc.constantFrom<PopupBlocker>("cookie-bar", "dialog", "inline-form", "field");
const segment = fc.stringMatching(/^[a-z0-9-]{1,12}$/).filter((word) => !SHOP.includes(word));
const path = fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join("/")}`);
const rules: fc.Arbitrary<PopupRules> = fc.record({
  triggers: fc.record({
    delaySeconds: fc.nat(3600),
    scrollPercent: fc.nat(100),
    exitIntent: fc.boolean(),
    more: fc.constant({ inactiveSeconds: 30 }),
  }, { requiredKeys: ["delaySeconds", "scrollPercent", "exitIntent"] }),
  hideDays: fc.integer({ min: 1, max: 3650 }),
  cookieBarSelector: fc.constant(""),
  excludePaths: fc.array(fc.oneof(path, segment, fc.string()), { maxLength: 3 }),
});
const state: fc.Arbitrary<PopupState> = fc.record({
  popup: fc.oneof(
    fc.constantFrom(undefined, "subscribed", "", "-1", "Infinity"),
    fc.string(),
    fc.integer({ min: 1, max: 2 * NOW }).map(String),
  ),
  shown: fc.boolean(),
  cancelled: fc.boolean(),
});
const page: fc.Arbitrary<PageView> = fc.record({
  path: fc.oneof(path, fc.constantFrom("/cart", "/de/checkout/", "/%63art", "/%"), fc.string()),
  classes: fc.array(fc.constantFrom("home", "woocommerce-cart", "woocommerce"), { maxLength: 2 }),
  pageTypes: fc.array(fc.constantFrom("", "home", "checkout"), { maxLength: 1 }),
  targeted: fc.boolean(),
  hidden: fc.boolean(),
  visibleMs: fc.nat(4_000_000),
  scrolledPercent: fc.nat(100),
  pointerLeft: fc.boolean(),
  fired: fc.boolean(),
  blockers: fc.uniqueArray(blocker),
});
const now = fc.integer({ min: 1, max: 2 * NOW });

Deno.test("for any settings, memory and page, the rules are deterministic and never throw", () => {
  fc.assert(fc.property(fc.option(rules, { nil: undefined }), state, page, now, (...all) => {
    const blockers = popupBlockers(...all);
    assert.deepEqual(popupBlockers(...all), blockers);
    assert.equal(new Set(blockers).size, blockers.length, "no blocker is listed twice");
  }));
});

Deno.test("the popup opens only if every condition is met", () => {
  fc.assert(fc.property(rules, state, page, now, (rules, state, page, now) => {
    if (popupBlockers(rules, state, page, now).length) return;
    const { triggers: { delaySeconds, scrollPercent, exitIntent, more }, hideDays } = rules;
    const age = now - Number(state.popup);
    assert.ok(state.popup !== "subscribed" && !state.shown && !state.cancelled && !page.hidden);
    assert.ok(!(Number(state.popup) > 0) || age >= hideDays * DAY);
    assert.ok(
      delaySeconds && page.visibleMs >= delaySeconds * 1000 ||
        scrollPercent && page.scrolledPercent >= scrollPercent ||
        exitIntent && page.pointerLeft || page.fired ||
        !delaySeconds && !scrollPercent && !exitIntent && !more,
    );
    assert.ok(page.targeted && !page.blockers.length && !placeBlockers(rules, page).length);
    assert.ok(!page.path.toLowerCase().split("/").some((segment) => SHOP.includes(segment)));
  }));
});

Deno.test("a single blocker is listed alone", () => {
  const single: [PopupBlocker, Partial<PopupState>, Partial<PageView>][] = [
    ["shop-page", {}, { path: "/cart" }],
    ["shop-page", {}, { classes: ["woocommerce-account"] }],
    ["shop-page", {}, { pageTypes: [""] }],
    ["excluded-path", {}, { path: "/kasse" }],
    ["targeting", {}, { targeted: false }],
    ["subscribed", { popup: "subscribed" }, {}],
    ["shown", { shown: true }, {}],
    ["closed", { popup: `${NOW - 30 * DAY + 1}` }, {}],
    ["cancelled", { cancelled: true }, {}],
    ["hidden", {}, { hidden: true }],
    ["trigger", {}, { visibleMs: 19_999, fired: false }],
    ["dialog", {}, { blockers: ["dialog"] }],
  ];
  const rules = { ...RULES, excludePaths: ["kasse"] };
  for (const [name, state, page] of single) {
    assert.deepEqual(popupBlockers(rules, { ...FRESH, ...state }, { ...OPEN_PAGE, ...page }, NOW), [name]);
  }
  assert.deepEqual(popupBlockers(rules, FRESH, { ...OPEN_PAGE, visibleMs: 20_000 }, NOW), []);
  assert.deepEqual(popupBlockers(undefined, FRESH, OPEN_PAGE, NOW), ["disabled"]);
});

Deno.test("each trigger opens the popup by itself, and one that is off never does", () => {
  const off = { delaySeconds: 0, scrollPercent: 0, exitIntent: false };
  const nothing = { visibleMs: 0, scrolledPercent: 0, pointerLeft: false, fired: false };
  const alone: [PopupRules["triggers"], before: Partial<PageView>, after: Partial<PageView>][] = [
    [{ ...off, delaySeconds: 20 }, { visibleMs: 19_999 }, { visibleMs: 20_000 }],
    [{ ...off, scrollPercent: 50 }, { scrolledPercent: 49 }, { scrolledPercent: 50 }],
    [{ ...off, exitIntent: true }, { pointerLeft: false }, { pointerLeft: true }],
    [{ ...off, more: { seenSelector: "#end" } }, { fired: false }, { fired: true }],
  ];
  const blockers = (triggers: PopupRules["triggers"], page: Partial<PageView>) =>
    popupBlockers({ ...RULES, triggers }, FRESH, { ...OPEN_PAGE, ...nothing, ...page }, NOW);
  for (const [triggers, before, after] of alone) {
    assert.deepEqual(blockers(triggers, before), ["trigger"]);
    assert.deepEqual(blockers(triggers, after), []);
  }
  assert.deepEqual(blockers(off, {}), []);
  assert.deepEqual(popupBlockers(undefined, FRESH, { ...OPEN_PAGE, ...nothing }, NOW), ["disabled"]);
});

Deno.test("blocking elements are added to the other blockers", () => {
  fc.assert(fc.property(rules, state, page, now, (rules, state, page, now) => {
    const without = popupBlockers(rules, state, { ...page, blockers: [] }, now);
    assert.deepEqual(popupBlockers(rules, state, page, now), [...without, ...page.blockers]);
  }));
});

Deno.test("cart, checkout and account pages block the popup anywhere in the path, whatever the settings", () => {
  fc.assert(
    fc.property(
      rules,
      path,
      fc.constantFrom(...SHOP),
      path,
      fc.boolean(),
      (rules, before, word, after, uppercase) => {
        const place = {
          path: `${before}/${uppercase ? word.toUpperCase() : word}${after}`,
          classes: [],
          pageTypes: [],
        };
        assert.ok(placeBlockers(rules, place).includes("shop-page"));
        assert.ok(placeBlockers(undefined, place).includes("shop-page"));
      },
    ),
  );
});

Deno.test("a shop page is recognized by a whole word and with any file extension, and other pages are not", () => {
  const isShop = (place: { path?: string; classes?: string[]; pageTypes?: string[] }) =>
    placeBlockers(RULES, { path: "/", classes: [], pageTypes: [], ...place }).length > 0;
  assert.ok(isShop({ path: "/cart.php" }));
  assert.ok(isShop({ path: "/my-account.html5/orders" }));
  for (const path of ["/go-cart", "/cart-tips", "/accounting", "/cart.tips.html"]) {
    assert.ok(!isShop({ path }), path);
  }
  for (const name of ["no-woocommerce-cart", "woocommerce-cart-tips"]) {
    assert.ok(!isShop({ classes: [name] }), name);
  }
  assert.ok(!isShop({ pageTypes: ["home"] }));
});

Deno.test("an excluded path also excludes the paths below it, and a segment excludes every path that contains it", () => {
  const excluded = (path: string, ...excludePaths: string[]) =>
    placeBlockers({ ...RULES, excludePaths }, { path, classes: [], pageTypes: [] }).length > 0;
  assert.ok(excluded("/shop/kasse/bar", "/shop/kasse/"));
  assert.ok(excluded("/de/Danke", "danke"));
  assert.ok(excluded("/de/shop/kasse", "/*/shop"));
  assert.ok(excluded("/gr%C3%BC%C3%9Fe", "/grüße"));
  assert.ok(excluded("/", "/"));
  assert.ok(excluded("/danke", "kasse", "danke"));
  assert.ok(excluded("/danke.de.php", "danke.de.html"));
  assert.ok(!excluded("/shop/kassenbon", "/shop/kasse"));
  assert.ok(!excluded("/de/shop/kasse", "/shop/kasse"));
  assert.ok(!excluded("/shop", "/shop/*"));
  assert.ok(!excluded("/a", "/", "", "  "));
  assert.ok(!excluded("/", ""));
});

Deno.test("a close hides the popup for hideDays, even if a wrong clock dated it into the future", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3650 }),
      fc.integer({ min: 1, max: 2 * NOW }),
      (hideDays, closed) => {
        const isHidden = (now: number) =>
          popupBlockers({ ...RULES, hideDays }, { ...FRESH, popup: `${closed}` }, OPEN_PAGE, now).includes(
            "closed",
          );
        assert.ok(isHidden(closed));
        assert.ok(isHidden(closed - 1_000_000), "before the close");
        assert.ok(isHidden(closed + hideDays * DAY - 1));
        assert.ok(!isHidden(closed + hideDays * DAY));
      },
    ),
  );
});

Deno.test("a stored value that is not the time of a close is ignored, even on a device whose clock starts in 1970", () => {
  for (const popup of ["", "0", "-1", "closed"]) {
    assert.deepEqual(popupBlockers(RULES, { ...FRESH, popup }, OPEN_PAGE, 1), [], popup);
  }
});

Deno.test("more time, more scrolling and exit intent never revoke a trigger", () => {
  fc.assert(fc.property(rules, page, fc.nat(), fc.nat(100), (rules, page, later, further) => {
    const awaitsTrigger = (page: PageView) => popupBlockers(rules, FRESH, page, NOW).includes("trigger");
    const more = {
      visibleMs: page.visibleMs + later,
      scrolledPercent: page.scrolledPercent + further,
      pointerLeft: true,
    };
    if (!awaitsTrigger(page)) assert.ok(!awaitsTrigger({ ...page, ...more }));
  }));
});
