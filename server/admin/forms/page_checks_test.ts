/** What happens on the page, and the other forms that open by themselves. */
import assert from "node:assert/strict";
import { blocksOf, explanationOf, notesOf } from "./opens/testing/described.ts";

const withTriggers = (triggers: Record<string, unknown>) => ({
  popup: { triggers: { delaySeconds: 0, ...triggers } },
});

Deno.test("the check names every trigger, and decides whether one has happened", () => {
  assert.equal(
    explanationOf("Trigger", withTriggers({})),
    "None is set, so the popup opens immediately.",
  );
  const many = withTriggers({
    delaySeconds: 20,
    scrollPercent: 50,
    exitIntent: true,
    inactiveSeconds: 30,
    seenSelector: "#reviews",
    clickSelector: ".offer",
  });
  assert.equal(
    explanationOf("Trigger", many),
    "Opens after 20 seconds on the page, or after scrolling 50% of the page, or on exit intent, or after " +
      "30 seconds without input, or when an element that matches #reviews is in the window, or on a click on an " +
      "element that matches .offer, which opens it whatever the other rules.",
  );
  const nothing = { device: "phone", seconds: "10", scrolled: "20", seen: "no" };
  assert.deepEqual(blocksOf(many, nothing), ["Trigger: no trigger has happened"]);
  for (const done of [{ seconds: "20" }, { scrolled: "50" }, { device: "desktop" }, { seen: "yes" }]) {
    assert.deepEqual(blocksOf(many, { ...nothing, ...done }), [], JSON.stringify(done));
  }
});

Deno.test("exit intent alone never opens a form on a phone, and a click alone opens none by itself", () => {
  const exit = withTriggers({ exitIntent: true });
  assert.deepEqual(blocksOf(exit, { device: "phone" }), [
    "Trigger: exit intent needs a mouse, and no other trigger is set",
  ]);
  assert.deepEqual(blocksOf(exit, { device: "desktop" }), []);
  const click = withTriggers({ clickSelector: ".offer" });
  assert.deepEqual(blocksOf(click), ["Trigger: it opens only on a click"]);
  assert.deepEqual(blocksOf(click, { clicked: "yes", memory: "subscribed" }), []);
  assert.deepEqual(blocksOf(click, { clicked: "yes", moment: "shop" })!.length, 1);
});

Deno.test("everything on a page that a form waits for can be described, and is a reason", () => {
  const banner = { popup: { cookieBarSelector: "#bar" } };
  const blockedBy = (field: string) => blocksOf(banner, { moment: field });
  assert.deepEqual(
    ["cookie-bar", "dialog", "inline-form", "field", "hidden", "cancelled"].map((field) =>
      blockedBy(field)!.join()
    ),
    [
      "Cookie banner: the cookie banner is on screen",
      "Other dialogs: another dialog is open",
      "Embedded form: an embedded form is on screen",
      "Typing: the visitor is typing",
      "Tab: the tab is in the background",
      "The page's own code: a script of the page cancels it",
    ],
  );
  assert.deepEqual(blocksOf({}, { moment: "cookie-bar" }), [], "no selector is set");
});

const form = (name: string, delaySeconds: number, more: object = {}) => ({
  name,
  opens: { kind: "slide-in", triggers: { delaySeconds, ...more } },
});
const order = (popupDelay: number, ...forms: object[]) => ({
  popup: { triggers: { delaySeconds: popupDelay } },
  forms: { forms },
});

Deno.test("of several forms that could open, the one whose delay ends first does, then the first in order", () => {
  const first = "Other forms: the popup opens first";
  assert.deepEqual(blocksOf(order(5, form("sale", 20)), {}, "sale"), [first]);
  assert.deepEqual(blocksOf(order(20, form("sale", 20)), {}, "sale"), [first]);
  assert.deepEqual(blocksOf(order(21, form("sale", 20)), {}, "sale"), []);
  assert.deepEqual(blocksOf(order(21, form("sale", 20))), ["Other forms: the form sale opens first"]);
  assert.equal(
    explanationOf("Other forms", order(21, form("sale", 20)), {}, "sale"),
    "Opens before the popup, and only one form is open at a time.",
  );
  assert.deepEqual(blocksOf(order(9, form("a", 3), form("b", 3)), {}, "b"), [
    "Other forms: the form a opens first",
  ]);
});

Deno.test("another form comes first only if it can open on that page for that visitor", () => {
  const excluded = { ...order(5, form("sale", 20)) };
  Object.assign(excluded.popup, { excludePaths: ["/blog"] });
  assert.deepEqual(blocksOf(excluded, {}, "sale"), []);
  assert.deepEqual(blocksOf(order(5, form("sale", 20)), { others: "shown" }, "sale"), []);
  assert.deepEqual(
    blocksOf(order(0, { ...form("old", 0), status: "paused" }, form("sale", 0)), { others: "shown" }, "sale"),
    [],
  );
});

Deno.test("where a trigger is not only time, either can be first, and an open one can be described", () => {
  const mixed = order(5, form("sale", 20, { scrollPercent: 30 }));
  assert.deepEqual(blocksOf(mixed, {}, "sale"), []);
  assert.match(explanationOf("Other forms", mixed, {}, "sale")!, /^Can open here as well: the popup/);
  assert.deepEqual(blocksOf(mixed, { moment: "other-form" }, "sale"), ["Other forms: another form is open"]);
  assert.deepEqual(blocksOf(mixed), [], "the other one may be scrolled to before");
  assert.deepEqual(notesOf(mixed), [
    "Where another form opens first (the form sale), this one does not open: closing the other starts the quiet period of " +
    "24 hours.",
  ]);
  assert.deepEqual(notesOf(order(21, form("sale", 20)), {}, "sale"), []);
});

Deno.test("a form that opens after a time waits for one that opens earlier, whatever opens before that", () => {
  const three = order(9, form("sale", 3), form("quiz", 20, { scrollPercent: 30 }));
  assert.deepEqual(blocksOf(three), ["Other forms: the form sale opens first"]);
  assert.match(explanationOf("Other forms", three, {}, "sale")!, /^Can open here as well: .*quiz/);
});
