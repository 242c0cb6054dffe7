import { pageAt } from "../../admin/frame/page.ts";
import { pages } from "../../admin/page_registry.ts";
import assert from "node:assert/strict";
import { actionNamed } from "../../admin/action_table.ts";
import { hasDropped } from "./confirmation_rate.ts";
import type { Facts, Problem } from "./problem.ts";
import { problemsOf } from "./rules.ts";

const NOW = 1_763_700_000_000;
const HOUR_MS = 3_600_000;

const WELL: Facts = {
  now: NOW,
  active: true,
  missing: [],
  sandboxInPublic: false,
  unknownVisitors: 0,
  plainHttp: false,
  refusedOrigins: [],
  incomplete: [],
  couponTrouble: undefined,
  deadJobs: 0,
  jobsTooLate: 0,
  skippedRows: 0,
  troubles: [],
  waitingDeliveries: 0,
  unreachable: [],
  singleOptIn: [],
  sendsWebhooks: true,
  week: {
    accepted: 40,
    confirmed: { webhook: 30, automation: 0, poll: 2 },
    cfgUnverified: 0,
    tokenOld: 0,
  },
  overSiteLimit: 4,
  backups: { completedAt: [3, 2, 1].map((days) => NOW - days * 24 * HOUR_MS) },
  database: { failure: undefined, file: "/data/cfbe.kv", disk: { folder: "/data", free: 9e9, total: 1e11 } },
  lately: { seen: 900, accepted: 40, confirmed: 32 },
  before: { seen: 4000, accepted: 160, confirmed: 130 },
};
const week = (more: Partial<Facts["week"]>): Partial<Facts> => ({ week: { ...WELL.week, ...more } });
const found = (facts: Partial<Facts>): Problem[] => problemsOf({ ...WELL, ...facts });
const ids = (facts: Partial<Facts>) => found(facts).map(({ id }) => id);

Deno.test("without problems, nothing needs attention", () => {
  assert.deepEqual(found({}), []);
});

const bad: Record<string, Partial<Facts>> = {
  "service.off": { active: false },
  "provider.not_configured": { missing: ["the API key", "a default list"] },
  "sandbox.public": { sandboxInPublic: true },
  "visitor_ip.unknown": { unknownVisitors: 3 },
  "address.http": { plainHttp: true },
  "provider.forbidden": {
    troubles: [{ call: "subscribe", at: NOW - HOUR_MS, code: "forbidden", reason: "the token is not ours" }],
  },
  "provider.trouble": {
    troubles: [{ call: "status", at: NOW - HOUR_MS, code: "unavailable", reason: "HTTP 503: Try again." }],
  },
  "jobs.dead": { deadJobs: 1 },
  "jobs.too_late": { jobsTooLate: 1 },
  "rows.skipped": { skippedRows: 1 },
  "orders.incomplete": { incomplete: [{ module: "orders", missing: ["checkout.secret"] }] },
  "coupons.incomplete": {
    incomplete: [{ module: "coupons", missing: ["checkout.shopUrl", "coupon.template"] }],
  },
  "coupons.failing": { couponTrouble: "the shop responded with 404" },
  "carts.incomplete": { incomplete: [{ module: "carts", missing: ["carts.template"] }] },
  "orderEmails.incomplete": { incomplete: [{ module: "orderEmails", missing: ["general.provider"] }] },
  "lists.single_opt_in": { singleOptIn: ["News"] },
  "webhook.silent": week({ confirmed: { webhook: 0, automation: 0, poll: 3 } }),
  "cfg.unverified": week({ cfgUnverified: 1 }),
  "tokens.old": week({ tokenOld: 5 }),
  "signups.over_limit": { overSiteLimit: 5 },
  "origins.refused": { refusedOrigins: ["https://other.example"] },
  "backup.failed": { backups: { ...WELL.backups, failedAt: NOW - HOUR_MS } },
  "backup.old": { backups: { completedAt: [4, 3, 2].map((days) => NOW - days * 24 * HOUR_MS) } },
  "database.failing": {
    database: {
      ...WELL.database,
      failure: { cause: "read_only", reason: "attempt to write a readonly database" },
    },
  },
  "disk.low": { database: { ...WELL.database, disk: { folder: "/data", free: 3e8, total: 1e11 } } },
  "confirmations.fell": { lately: { seen: 900, accepted: 40, confirmed: 12 } },
};
for (const [id, facts] of Object.entries(bad)) {
  Deno.test(`${id} is reported with advice, and links to an existing page or action`, () => {
    const [only, ...others] = found(facts);
    assert.deepEqual([only?.id, others], [id, []]);
    assert.match(only!.what, /[^.][.]$/);
    assert.match(only!.todo, /[.]$/);
    const forOthers = only!.todoForOthers ?? only!.todo;
    assert.match(forOthers, /[.]$/);
    assert.doesNotMatch(forOthers, /`|deno task/, "not every user of the admin can run a command");
    if (only!.link) {
      const { pathname } = new URL(only!.link.to, "http://any");
      assert.ok(pageAt(pages, pathname), `there is no page ${pathname}`);
    }
    if (only!.action) assert.ok(actionNamed(only!.action.name));
  });
}

Deno.test("problems that lose signups are listed before those that might", () => {
  assert.deepEqual(
    ids({ singleOptIn: ["News"], deadJobs: 100, ...week({ cfgUnverified: 2, tokenOld: 9 }) }),
    [
      "jobs.dead",
      "tokens.old",
      "lists.single_opt_in",
      "cfg.unverified",
    ],
  );
});

Deno.test("an outage of the provider says for how long requests have failed, why, and how many signups wait", () => {
  const reason = "HTTP 503: The service is unavailable.";
  const textOf = (since: number, waitingDeliveries: number) =>
    found({ troubles: [{ call: "subscribe", since, at: NOW, reason }], waitingDeliveries })[0]?.what;
  assert.equal(
    textOf(NOW - 13 * 60_000, 79),
    "Requests to the provider have failed for 13 minutes. The latest: HTTP 503: The service is unavailable. " +
      "79 signups wait for delivery.",
  );
  assert.match(textOf(NOW - 3 * HOUR_MS, 100)!, /for 3 hours\..* 100 or more signups wait for delivery\.$/);
  assert.equal(
    textOf(NOW, 1),
    "The last request to the provider failed: HTTP 503: The service is unavailable. 1 signup waits for delivery.",
  );
});

Deno.test("three failures in a row over a minute are certain to be an outage, but not fewer, or at the same moment, or a rate limit", () => {
  const trouble = { call: "subscribe", since: NOW - 60_000, at: NOW, failures: 3, reason: "HTTP 503" };
  const isCertain = (more: Partial<Facts["troubles"][number]>) =>
    found({ troubles: [{ ...trouble, ...more }] })[0]?.certain;
  assert.equal(isCertain({}), true);
  assert.equal(isCertain({ code: "forbidden" }), true);
  assert.equal(isCertain({ failures: 2 }), undefined);
  assert.equal(isCertain({ since: NOW - 59_999 }), undefined);
  assert.equal(isCertain({ code: "rate_limited" }), undefined);
});

Deno.test("errors older than a day are not shown, and a 403 is shown once", () => {
  const at = NOW - 25 * HOUR_MS;
  assert.deepEqual(
    ids({ troubles: [{ call: "subscribe", at, code: "forbidden", reason: "HTTP 403: no" }] }),
    [],
  );
  assert.deepEqual(
    ids({
      troubles: [
        { call: "status", at: NOW, reason: "HTTP 500" },
        { call: "subscribe", at: NOW - HOUR_MS, code: "forbidden", reason: "HTTP 403: no" },
      ],
    }),
    ["provider.forbidden"],
  );
});

Deno.test("after a single webhook call, the webhook is not reported as silent", () => {
  const confirmed = { webhook: 0, automation: 1, poll: 50 };
  assert.deepEqual(ids(week({ confirmed })), []);
});

Deno.test("a few old tokens among many signups are not reported", () => {
  assert.deepEqual(ids(week({ tokenOld: 5, accepted: 51 })), []);
});

Deno.test("a drop of the confirmation rate is reported only if it is significant", () => {
  const before = { seen: 0, accepted: 160, confirmed: 130 };
  const lately = (accepted: number, confirmed: number) => ({ seen: 0, accepted, confirmed });
  assert.equal(hasDropped(lately(40, 12), before), true);
  assert.equal(hasDropped(lately(19, 0), before), false, "too few");
  assert.equal(hasDropped(lately(40, 28), before), false, "by less than a quarter");
  assert.equal(hasDropped(lately(20, 12), { seen: 0, accepted: 20, confirmed: 17 }), false, "may be chance");
  assert.equal(hasDropped(lately(40, 0), lately(19, 19)), false, "nothing to compare with");
  assert.equal(hasDropped(lately(40, 60), lately(40, 80)), false, "late confirmations count for their day");
  assert.equal(hasDropped(lately(30, 0), lately(30, 30)), true);
});

Deno.test("a backup that never ended counts as incomplete after six hours, until one is complete", () => {
  const { completedAt } = WELL.backups;
  const startedAt = NOW - 6 * HOUR_MS;
  assert.deepEqual(ids({ backups: { completedAt, startedAt } }), []);
  assert.deepEqual(ids({ backups: { completedAt, startedAt: startedAt - 1 } }), ["backup.failed"]);
  assert.deepEqual(
    ids({ backups: { completedAt: [...completedAt, startedAt], startedAt: startedAt - 1 } }),
    [],
  );
});

Deno.test("backups are late only if they are regular, and by their own rhythm", () => {
  const made = (...days: number[]) =>
    ids({ backups: { completedAt: days.map((day) => NOW - day * 24 * HOUR_MS) } });
  assert.deepEqual(made(), []);
  assert.deepEqual(made(31, 30), [], "two are no rhythm");
  assert.deepEqual(made(34, 27, 20, 13), [], "every week, and the last one is not two weeks old");
  assert.deepEqual(made(36, 29, 22, 15), ["backup.old"]);
  assert.deepEqual(made(300, 200, 100), [], "too rare to be regular");
});

Deno.test("little free space is a warning, and with a quarter of that an error, on a large disk and on a small one", () => {
  const tone = (free: number, total: number) =>
    found({ database: { ...WELL.database, disk: { folder: "/data", free, total } } })[0]?.tone;
  const GB = 1024 ** 3;
  assert.deepEqual([tone(0.51 * GB, 100 * GB), tone(0.49 * GB, 100 * GB), tone(0.1 * GB, 100 * GB)], [
    undefined,
    "warn",
    "bad",
  ]);
  assert.deepEqual([tone(0.11 * GB, GB), tone(0.09 * GB, GB), tone(0.02 * GB, GB)], [
    undefined,
    "warn",
    "bad",
  ]);
});
