import assert from "node:assert/strict";
import fc from "fast-check";
import type { PopupRules } from "./public_settings.ts";
import { heldBackBy, keptFree, type PageView, type PopupBlocker, type PopupState } from "./popup_rules.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2030, 0, 1);
const OPEN_PAGE: PageView = {
  path: "/",
  classes: [],
  marks: [],
  hidden: false,
  visibleMs: 60_000,
  scrolled: 100,
  left: true,
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
  triggers: fc.record({ delaySeconds: fc.nat(3600), scrollPercent: fc.nat(100), exitIntent: fc.boolean() }),
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
  marks: fc.array(fc.constantFrom("", "home", "checkout"), { maxLength: 1 }),
  hidden: fc.boolean(),
  visibleMs: fc.nat(4_000_000),
  scrolled: fc.nat(100),
  left: fc.boolean(),
  blockers: fc.uniqueArray(blocker),
});
const now = fc.integer({ min: 1, max: 2 * NOW });

Deno.test("whatever is set, remembered and met, the rules answer, the same each time, and never throw", () => {
  fc.assert(fc.property(fc.option(rules, { nil: undefined }), state, page, now, (...all) => {
    const held = heldBackBy(...all);
    assert.deepEqual(heldBackBy(...all), held);
    assert.equal(new Set(held).size, held.length, "nothing is named twice");
  }));
});

Deno.test("it shows itself only if every single condition holds", () => {
  fc.assert(fc.property(rules, state, page, now, (rules, state, page, now) => {
    if (heldBackBy(rules, state, page, now).length) return;
    const { triggers: { delaySeconds, scrollPercent, exitIntent }, hideDays } = rules;
    const age = now - Number(state.popup);
    assert.ok(state.popup !== "subscribed" && !state.shown && !state.cancelled && !page.hidden);
    assert.ok(!(Number(state.popup) > 0) || age >= hideDays * DAY);
    assert.ok(
      delaySeconds && page.visibleMs >= delaySeconds * 1000 ||
        scrollPercent && page.scrolled >= scrollPercent ||
        exitIntent && page.left || !delaySeconds && !scrollPercent && !exitIntent,
    );
    assert.ok(!page.blockers.length && !keptFree(rules, page).length);
    assert.ok(!page.path.toLowerCase().split("/").some((segment) => SHOP.includes(segment)));
  }));
});

Deno.test("one thing that holds it back is named, and none other", () => {
  const alone: [PopupBlocker, Partial<PopupState>, Partial<PageView>][] = [
    ["shop-page", {}, { path: "/cart" }],
    ["shop-page", {}, { classes: ["woocommerce-account"] }],
    ["shop-page", {}, { marks: [""] }],
    ["excluded-path", {}, { path: "/kasse" }],
    ["subscribed", { popup: "subscribed" }, {}],
    ["shown", { shown: true }, {}],
    ["closed", { popup: `${NOW - 30 * DAY + 1}` }, {}],
    ["cancelled", { cancelled: true }, {}],
    ["hidden", {}, { hidden: true }],
    ["trigger", {}, { visibleMs: 19_999 }],
    ["dialog", {}, { blockers: ["dialog"] }],
  ];
  const rules = { ...RULES, excludePaths: ["kasse"] };
  for (const [name, state, page] of alone) {
    assert.deepEqual(heldBackBy(rules, { ...FRESH, ...state }, { ...OPEN_PAGE, ...page }, NOW), [name]);
  }
  assert.deepEqual(heldBackBy(rules, FRESH, { ...OPEN_PAGE, visibleMs: 20_000 }, NOW), []);
  assert.deepEqual(heldBackBy(undefined, FRESH, OPEN_PAGE, NOW), ["disabled"]);
});

Deno.test("what stands in the way is added to what else there is, whichever it is", () => {
  fc.assert(fc.property(rules, state, page, now, (rules, state, page, now) => {
    const without = heldBackBy(rules, state, { ...page, blockers: [] }, now);
    assert.deepEqual(heldBackBy(rules, state, page, now), [...without, ...page.blockers]);
  }));
});

Deno.test("a cart, checkout or account is kept free wherever it is in the path, and no setting takes that away", () => {
  fc.assert(
    fc.property(
      rules,
      path,
      fc.constantFrom(...SHOP),
      path,
      fc.boolean(),
      (rules, before, word, after, loud) => {
        const place = {
          path: `${before}/${loud ? word.toUpperCase() : word}${after}`,
          classes: [],
          marks: [],
        };
        assert.ok(keptFree(rules, place).includes("shop-page"));
        assert.ok(keptFree(undefined, place).includes("shop-page"));
      },
    ),
  );
});

Deno.test("an excluded path takes what is below it along, and a word any path that has it", () => {
  const excluded = (path: string, ...excludePaths: string[]) =>
    keptFree({ ...RULES, excludePaths }, { path, classes: [], marks: [] }).length > 0;
  assert.ok(excluded("/shop/kasse/bar", "/shop/kasse/"));
  assert.ok(excluded("/de/Danke", "danke"));
  assert.ok(excluded("/de/shop/kasse", "/*/shop"));
  assert.ok(excluded("/gr%C3%BC%C3%9Fe", "/grüße"));
  assert.ok(excluded("/", "/"));
  assert.ok(!excluded("/shop/kassenbon", "/shop/kasse"));
  assert.ok(!excluded("/de/shop/kasse", "/shop/kasse"));
  assert.ok(!excluded("/shop", "/shop/*"));
  assert.ok(!excluded("/a", "/", "", "  "));
});

Deno.test("a close counts for as many days as are set, also one that a wrong clock dated into the future", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3650 }),
      fc.integer({ min: 1, max: 2 * NOW }),
      (hideDays, closed) => {
        const at = (now: number) =>
          heldBackBy({ ...RULES, hideDays }, { ...FRESH, popup: `${closed}` }, OPEN_PAGE, now).includes(
            "closed",
          );
        assert.ok(at(closed));
        assert.ok(at(closed - 1_000_000), "before it was closed");
        assert.ok(at(closed + hideDays * DAY - 1));
        assert.ok(!at(closed + hideDays * DAY));
      },
    ),
  );
});

Deno.test("more time, more scrolling and leaving never hold back what was due", () => {
  fc.assert(fc.property(rules, page, fc.nat(), fc.nat(100), (rules, page, later, further) => {
    const held = (page: PageView) => heldBackBy(rules, FRESH, page, NOW).includes("trigger");
    const more = { visibleMs: page.visibleMs + later, scrolled: page.scrolled + further, left: true };
    if (!held(page)) assert.ok(!held({ ...page, ...more }));
  }));
});
