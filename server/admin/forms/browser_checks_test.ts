/** What the browser remembers, by the widget's own rules. */
import assert from "node:assert/strict";
import { popupBlockers } from "../../../shared/popup_rules.ts";
import { openingBlockers, openingRules } from "./opens/opening_blockers.ts";
import {
  blocksOf,
  checksOf,
  describeVisit,
  explanationOf,
  NOW,
  settingsOf,
  usesOf,
} from "./opens/testing/described.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SALE = { name: "sale", opens: { kind: "slide-in", triggers: { delaySeconds: 0 }, hideDays: 10 } };
const alone = { popup: { enabled: false }, forms: { forms: [SALE] } };
const againOf = (...args: Parameters<typeof usesOf>) => {
  const at = usesOf(...args)![0]!.again;
  return at === undefined ? undefined : new Date(at).toISOString();
};

Deno.test("a visitor who closed the form sees it again when its days are over, to the millisecond of the widget's rule", () => {
  const closed = { memory: "closed", days: "3" };
  assert.deepEqual(blocksOf(alone, closed, "sale"), [
    "Closed before: the visitor closed it, and it stays hidden for 10 days",
  ]);
  assert.equal(
    explanationOf("Closed before", alone, closed, "sale"),
    "Closed on 1 Jan 2030, 12:00 (UTC), and hidden for 10 days after that, until 11 Jan 2030, 12:00 (UTC).",
  );
  assert.equal(againOf(alone, closed, "sale"), "2030-01-11T12:00:00.000Z");
  const settings = settingsOf(alone);
  const described = describeVisit(settings, closed)!;
  const { rules } = openingRules(settings, "sale", NOW);
  const state = { popup: described.browser.popup, shown: false, cancelled: false };
  const at = NOW + 7 * DAY_MS;
  for (const [now, expected] of [[at - 1, ["closed"]], [at, []]] as const) {
    const page = { path: "/", classes: [], pageTypes: [], targeted: true, hidden: false, visibleMs: 0 };
    assert.deepEqual(
      popupBlockers(rules, state, { ...page, scrolledPercent: 0, pointerLeft: false, blockers: [] }, now),
      expected,
    );
    assert.deepEqual(openingBlockers(settings, "sale", described, now), expected);
  }
  assert.deepEqual(blocksOf(alone, { memory: "closed", days: "10" }, "sale"), []);
});

Deno.test("each thing that a browser can remember is decided, and names what ends it", () => {
  const decided = (memory: string) => blocksOf(alone, { memory }, "sale");
  assert.deepEqual(decided("never"), []);
  assert.deepEqual(decided("shown"), []);
  assert.deepEqual(decided("session"), ["Once per session: it was already shown in this session"]);
  assert.deepEqual(decided("subscribed"), ["Already subscribed: the visitor has signed up in this browser"]);
  assert.equal(againOf(alone, { memory: "subscribed" }, "sale"), undefined);
  assert.equal(againOf(alone, { memory: "session" }, "sale"), undefined);
  assert.match(explanationOf("Once per session", alone, { memory: "session" }, "sale")!, /another tab/);
});

Deno.test("a browser that may store nothing remembers nothing, and its visitor is new and on the first page", () => {
  const memories = { memory: "subscribed", visitor: "returning", pages: "5", storage: "no" };
  assert.deepEqual(blocksOf(alone, memories, "sale"), []);
  const condition = (kind: string, more: object) => ({
    popup: { targeting: [{ conditions: [{ kind, ...more }] }] },
  });
  const blocks = (saved: Record<string, unknown>) => blocksOf(saved, memories)!.length;
  assert.equal(blocks(condition("visitor", { value: "returning" })), 1);
  assert.equal(blocks(condition("pages", { match: "atLeast", value: 2 })), 1);
  assert.equal(blocks(condition("visitor", { value: "new" })), 0);
});

Deno.test("a visitor to whom the form was shown in an earlier session is a returning one", () => {
  const popup = { targeting: [{ conditions: [{ kind: "visitor", value: "returning" }] }] };
  assert.deepEqual(blocksOf({ popup }, { memory: "shown" }), []);
  assert.equal(blocksOf({ popup }, {})!.length, 1);
});

Deno.test("the quiet period counts from the last close of any form, and is the reason only while it lasts", () => {
  const both = { popup: { quietHours: 24 }, forms: { forms: [SALE] } };
  const other = { others: "closed", hours: "5" };
  assert.deepEqual(blocksOf(both, other, "sale"), [
    "Quiet period: the visitor closed a form, and none opens by itself for 24 hours",
  ]);
  assert.equal(againOf(both, other, "sale"), new Date(NOW + 19 * HOUR_MS).toISOString());
  assert.deepEqual(blocksOf(both, { others: "closed", hours: "24" }, "sale"), []);
  assert.deepEqual(
    blocksOf(both, { memory: "closed", days: "0.5", others: "shown" }, "sale")!.map((block) =>
      block.split(":")[0]
    ),
    ["Closed before", "Quiet period"],
  );
  assert.equal(
    againOf(both, { memory: "closed", days: "0.5", others: "shown" }, "sale"),
    "2030-01-14T00:00:00.000Z",
  );
  assert.deepEqual(blocksOf({ ...both, popup: { quietHours: 0 } }, other, "sale"), []);
  assert.ok(!checksOf(alone, other, "sale")!.some(({ rule }) => rule === "Quiet period"));
});

Deno.test("a form that is the only one stays hidden for its quiet period if that is longer than its days", () => {
  const saved = { ...alone, popup: { enabled: false, quietHours: 480 } };
  assert.equal(
    againOf(saved, { memory: "closed", days: "0" }, "sale"),
    new Date(NOW + 20 * DAY_MS).toISOString(),
  );
});

Deno.test("the next time is one at which all other rules allow it: its hours, its schedule, and the days after closing", () => {
  const condition = { kind: "time", days: ["mon"], from: "09:00", to: "17:00", timeZone: "Europe/Berlin" };
  const targeted = (schedule: object) => ({
    popup: { enabled: false },
    general: { timeZone: "Europe/Berlin" },
    forms: {
      forms: [{ ...SALE, schedule, opens: { ...SALE.opens, targeting: [{ conditions: [condition] }] } }],
    },
  });
  assert.equal(againOf(targeted({}), {}, "sale"), "2030-01-07T08:00:00.000Z");
  // Closed on Thursday the 3rd, hidden until Sunday the 13th.
  assert.equal(againOf(targeted({}), { memory: "closed", days: "1" }, "sale"), "2030-01-14T08:00:00.000Z");
  assert.equal(againOf(targeted({ from: "2030-02-01T00:00" }), {}, "sale"), "2030-02-04T08:00:00.000Z");
  assert.equal(againOf(targeted({ from: "2030-02-04T10:30" }), {}, "sale"), "2030-02-04T09:30:00.000Z");
  assert.equal(againOf(targeted({ until: "2030-01-07T09:00" }), {}, "sale"), undefined);
  assert.equal(againOf(targeted({}), { moment: "shop" }, "sale"), undefined);
});
