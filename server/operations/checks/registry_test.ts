import { pageAt } from "../../admin/frame/page.ts";
import { pages } from "../../admin/page_registry.ts";
import assert from "node:assert/strict";
import { actionNamed } from "../../admin/action_table.ts";
import type { DatabaseCause } from "../../platform/kv/trouble.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { CHECKS, problemsIn } from "./registry.ts";
import { hasDropped } from "./confirmations.ts";
import { NO_PROBLEMS, PROCESS } from "./testing/values.ts";
import type { ListedToken } from "../../platform/tokens/store.ts";
import type { Values } from "./values.ts";

const NOW = 1_763_700_000_000;
const HOUR_MS = 3_600_000;

const WELL = {
  ...NO_PROBLEMS,
  now: NOW,
  week: {
    accepted: 40,
    confirmed: { webhook: 30, automation: 0, poll: 2 },
    cfgUnverified: 0,
    tokenOld: 0,
  },
  siteLimit: { rejected: 4, beyond: 0 },
  attack: undefined,
  backups: { completedAt: [3, 2, 1].map((days) => NOW - days * 24 * HOUR_MS) },
  rates: {
    lately: { seen: 900, accepted: 40, confirmed: 32 },
    before: { seen: 4000, accepted: 160, confirmed: 130 },
  },
};
const { settings, capabilities } = WELL;
type Changed = Partial<Values>;
const week = (more: Partial<Values["week"]>): Changed => ({ week: { ...WELL.week, ...more } });
const general = (more: Partial<Settings["general"]>): Changed => ({
  settings: { ...settings, general: { ...settings.general, ...more } },
});
const on = (module: keyof Settings["general"]["modules"]): Changed =>
  general({ modules: { ...settings.general.modules, [module]: true } });
const troubles = (...found: Values["failedCalls"]["troubles"]): Changed => ({
  failedCalls: { troubles: found, waitingDeliveries: 0 },
});
const onOverview = (values: Changed) => problemsIn({ ...WELL, ...values }, ({ overview }) => overview);
const ids = (values: Changed) => onOverview(values).map(({ id }) => id);
const failing = (cause: DatabaseCause, more: { ofRows?: true } = {}): Changed => ({
  database: { ...WELL.database, failure: { cause, reason: "attempt to write a readonly database", ...more } },
});

Deno.test("without problems, nothing needs attention", () => {
  assert.deepEqual(onOverview({}), []);
});

Deno.test("only what no file can save is said to reject signups: a removed file loses them later, a damaged one some", () => {
  const effect = (cause: DatabaseCause) => onOverview(failing(cause))[0]!.what.match(/Signups .*/)?.[0];
  assert.deepEqual((["full", "damaged", "missing", "replaced"] as const).map(effect), [
    "Signups are rejected.",
    "Signups may be rejected.",
    "Signups are lost when cfbe stops.",
    "Signups are lost when cfbe stops.",
  ]);
});

/** Returns an API token that was used a moment ago, or until it expired. */
function tokenEndingIn(days: number, more: Partial<ListedToken> = {}): ListedToken {
  const expiresAt = NOW + days * 24 * HOUR_MS;
  return {
    id: "id",
    name: "shop",
    scopes: ["signup"],
    by: "ann",
    createdAt: 0,
    expiresAt,
    isExpired: expiresAt <= NOW,
    usedAt: Math.min(NOW, expiresAt) - HOUR_MS,
    ...more,
  };
}

Deno.test("attack mode says since when and why it is on, what it dropped, and how many visitors solved their task or had to send a form again", () => {
  const attack = {
    since: NOW,
    seenAt: NOW,
    acceptedAt: NOW,
    reasons: ["network", "token"],
    forms: ["footer", "promo"],
    dropped: 812,
    solved: 1,
    again: 3,
  } as const;
  const [problem] = onOverview({ attack });
  const since = new Date(NOW).toISOString().slice(0, 16).replace("T", " ");
  assert.equal(
    problem!.what,
    `Attack mode has been on since ${since} UTC, because one network made very many signups; form tokens were used very often, and hardly anybody confirmed (forms “footer” and “promo”). 812 signups without a solved task were dropped, and 1 with one was accepted. 3 forms without JavaScript had to be sent again.`,
  );
  assert.equal(problem!.tone, "bad");
  assert.match(onOverview({ attack: { ...attack, again: 0 } })[0]!.what, /with one was accepted\.$/);
  assert.equal(onOverview({ attack: { ...attack, reasons: ["manual"] } })[0]!.tone, "warn");
});

const bad: Record<string, Changed> = {
  "service.off": { active: false },
  "provider.not_configured": general({ apiKey: "" }),
  "lists.no_default": general({ defaultList: "" }),
  "sandbox.public": general({ provider: "sandbox" }),
  "visitor_ip.unknown": { traffic: { ...WELL.traffic, requests: 5, unknown: 3 } },
  "address.http": { config: { ...WELL.config, baseUrl: "http://news.example" } },
  "provider.forbidden": troubles({
    call: "subscribe",
    at: NOW - HOUR_MS,
    code: "forbidden",
    reason: "the token is not ours",
  }),
  "provider.trouble": troubles({
    call: "status",
    at: NOW - HOUR_MS,
    code: "unavailable",
    reason: "HTTP 503: Try again.",
  }),
  "jobs.dead": { jobs: { ...WELL.jobs, dead: 1 } },
  "jobs.too_late": { jobs: { ...WELL.jobs, tooLate: 1 } },
  "jobs.failing": {
    failingJobs: [{
      name: "cfbe_erase_carts",
      failures: 12,
      undone: "old carts are kept",
      reason: "disk full",
    }],
  },
  "jobs.held": { heldMs: HOUR_MS },
  "rows.skipped": { skippedRows: 1 },
  "shop.orders": on("checkout"),
  "shop.coupons": on("coupons"),
  "coupons.provider": { ...on("coupons"), capabilities: { ...capabilities, transactional: false } },
  "coupons.failing": { couponTrouble: "the shop responded with 404" },
  "carts.template": on("carts"),
  "carts.provider": { ...on("carts"), capabilities: { ...capabilities, triggered: false } },
  "orders.provider": {
    ...on("orderEmails"),
    capabilities: { ...capabilities, transactional: false },
    shop: { ...WELL.shop, missingSettings: () => ({ orders: [], coupons: [] }) },
  },
  "lists.single_opt_in": { lists: [{ id: "news", name: "News", doubleOptIn: false }] },
  "webhook.silent": week({ confirmed: { webhook: 0, automation: 0, poll: 3 } }),
  "cfg.unverified": week({ cfgUnverified: 1 }),
  "tokens.old": week({ tokenOld: 5 }),
  "signups.attack": {
    attack: {
      since: NOW - HOUR_MS,
      seenAt: NOW,
      acceptedAt: NOW,
      reasons: ["network"],
      dropped: 812,
      solved: 1,
      again: 0,
    },
  },
  "signups.over_limit": { siteLimit: { rejected: 5, beyond: 0 } },
  "signups.one_network": { siteLimit: { rejected: 5, beyond: 1 } },
  "origins.refused": { refusedOrigins: ["https://other.example"] },
  "backup.failed": { backups: { ...WELL.backups, failedAt: NOW - HOUR_MS } },
  "backup.old": { backups: { completedAt: [4, 3, 2].map((days) => NOW - days * 24 * HOUR_MS) } },
  "database.damaged": failing("damaged"),
  "database.not_writable": failing("read_only"),
  "database.rows_damaged": failing("damaged", { ofRows: true }),
  "disk.low": { database: { ...WELL.database, disk: { folder: "/data", free: 3e8, total: 1e11 } } },
  "confirmations.fell": {
    rates: { ...WELL.rates, lately: { seen: 900, accepted: 40, confirmed: 12 } },
  },
  "confirmations.unreachable": { unreachable: [{ provider: "Kit", count: 2 }] },
  "tokens.ending": { apiTokens: [tokenEndingIn(3)] },
  "tokens.maker": {
    apiTokens: [tokenEndingIn(90, { scopes: ["admin"], by: "leaver" })],
    admins: ["ann"],
  },
  "users.locked_out": { lockedOut: { users: 2, allAdmins: false } },
  "processes.salt": { processes: [PROCESS, { ...PROCESS, salts: ["other"] }] },
  "processes.token": { processes: [PROCESS, { ...PROCESS, token: "other" }] },
  "processes.clock": { processes: [PROCESS, { ...PROCESS, aheadMs: 2_000 }] },
  "processes.version": { processes: [PROCESS, { ...PROCESS, version: "0.0.9" }] },
};
for (const [id, facts] of Object.entries(bad)) {
  Deno.test(`${id} is reported with advice, and links to an existing page or action`, () => {
    const [only, ...others] = onOverview(facts);
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

Deno.test("every check on the Overview is in the table of these tests", () => {
  assert.deepEqual(
    Object.keys(bad).toSorted(),
    CHECKS.filter((check) => check.in.overview).map(({ id }) => id).toSorted(),
  );
});

Deno.test("every ID is declared once, what is an alert is on the Overview, and the doctor says why it matters", () => {
  assert.equal(new Set(CHECKS.map(({ id }) => id)).size, CHECKS.length);
  for (const { id, in: { alert, overview } } of CHECKS) assert.ok(!alert || overview, id);
  for (const { id, in: { doctor } } of CHECKS) {
    const facts = bad[id];
    if (doctor && facts) assert.match(onOverview(facts)[0]!.why!, /\.$/, id);
  }
});

Deno.test("problems that lose signups are listed before those that might", () => {
  assert.deepEqual(
    ids({
      unreachable: [{ provider: "Kit", count: 2 }],
      ...bad["jobs.dead"],
      ...week({ cfgUnverified: 2, tokenOld: 9 }),
    }),
    ["jobs.dead", "tokens.old", "cfg.unverified", "confirmations.unreachable"],
  );
});

Deno.test("an outage of the provider says for how long requests have failed, why, and how many signups wait", () => {
  const reason = "HTTP 503: The service is unavailable.";
  const textOf = (since: number, waitingDeliveries: number) =>
    onOverview({
      failedCalls: { troubles: [{ call: "subscribe", since, at: NOW, reason }], waitingDeliveries },
    })[0]?.what;
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
  const isCertain = (more: Partial<Values["failedCalls"]["troubles"][number]>) =>
    onOverview(troubles({ ...trouble, ...more }))[0]?.certain;
  assert.equal(isCertain({}), true);
  assert.equal(isCertain({ code: "forbidden" }), true);
  assert.equal(isCertain({ failures: 2 }), undefined);
  assert.equal(isCertain({ since: NOW - 59_999 }), undefined);
  assert.equal(isCertain({ code: "rate_limited" }), undefined);
});

Deno.test("errors older than a day are not shown, and a 403 is shown once", () => {
  const at = NOW - 25 * HOUR_MS;
  assert.deepEqual(
    ids(troubles({ call: "subscribe", at, code: "forbidden", reason: "HTTP 403: no" })),
    [],
  );
  assert.deepEqual(
    ids(troubles(
      { call: "status", at: NOW, reason: "HTTP 500" },
      { call: "subscribe", at: NOW - HOUR_MS, code: "forbidden", reason: "HTTP 403: no" },
    )),
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
    onOverview({ database: { ...WELL.database, disk: { folder: "/data", free, total } } })[0]?.tone;
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

Deno.test("a scheduled backup that fails or is late says so, and what cfbe does about it", () => {
  const backups = { folder: "/backups", everyMs: 6 * HOUR_MS, kept: 2, recipients: [] };
  const config = { ...WELL.config, backups };
  const [failed] = onOverview({
    config,
    backups: { completedAt: [NOW - HOUR_MS], failedAt: NOW, failure: "No space left on device" },
  });
  assert.deepEqual([failed?.id, failed?.what], [
    "backup.failed",
    "The last backup is incomplete: No space left on device.",
  ]);
  assert.match(failed!.todo, /CFBE_BACKUP_DIR.*every hour/);
  const late = (hours: number) => ids({ config, backups: { completedAt: [NOW - hours * HOUR_MS] } });
  assert.deepEqual([late(47), late(49)], [[], ["backup.old"]]);
});

Deno.test("an API token is reported from two weeks before its end to a week after it, if something uses it", () => {
  const found = (...apiTokens: ListedToken[]) =>
    onOverview({ apiTokens }).map(({ tone, what }) => [tone, what]);
  assert.deepEqual(found(tokenEndingIn(14)), []);
  assert.deepEqual(found(tokenEndingIn(13)), [
    ["warn", "The API token shop, which is in use, stops working in 13 days."],
  ]);
  const expired = [["bad", "The API token shop, which is in use, has expired."]];
  assert.deepEqual([found(tokenEndingIn(0)), found(tokenEndingIn(-6))], [expired, expired]);
  assert.deepEqual(found(tokenEndingIn(-7)), []);
  const { usedAt: _, ...unused } = tokenEndingIn(3);
  const { expiresAt: __, ...endless } = tokenEndingIn(3);
  assert.deepEqual(found(unused, endless, tokenEndingIn(3, { usedAt: NOW - 31 * 24 * HOUR_MS })), []);
  assert.deepEqual(found(tokenEndingIn(9, { name: "bot" }), tokenEndingIn(1)), [
    ["warn", "The API token shop, which is in use, stops working in 1 day, and 1 other token soon after."],
  ]);
});

Deno.test("an API token with the scope admin is reported if no admin has the name of who created it", () => {
  const token = (name: string, more: Partial<ListedToken>) =>
    tokenEndingIn(90, { id: name, name, scopes: ["admin"], ...more });
  const found = (...apiTokens: ListedToken[]) =>
    onOverview({ apiTokens, admins: ["ann"] }).map(({ id, what }) => [id, what]);
  assert.deepEqual(
    found(
      token("own", { by: "ann" }),
      token("shell", { by: "command line" }),
      token("agent", { by: "API token own (own)" }),
      token("shop", { by: "leaver", scopes: ["signup", "people"] }),
      token("over", { by: "leaver", expiresAt: NOW - 30 * 24 * HOUR_MS, isExpired: true }),
      token("site", { by: "leaver", site: "id" }),
    ),
    [],
  );
  assert.deepEqual(
    found(token("deploy", { by: "leaver" }), token("copied", { by: "API token deploy (deploy)" })),
    [[
      "tokens.maker",
      "leaver, who is no longer an admin, can do everything with API tokens that they created: copied, deploy.",
    ]],
  );
});
