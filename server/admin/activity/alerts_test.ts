import assert from "node:assert/strict";
import { startRecurringJobs } from "../../program/recurring_jobs.ts";
import type { AlertEvent } from "../../settings/hooks/types.ts";
import { newJobRow } from "../../platform/jobs/add.ts";
import { jobKey, writeRow } from "../../platform/jobs/row.ts";
import { readRow } from "../../platform/kv/key.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

const MINUTE = 60_000;

/** An admin whose alerts are checked by `check`, with the events that the hook got. */
async function alertsHarness() {
  const events: AlertEvent[] = [];
  const app = await adminHarness({ file: { actions: { cfbe_alert: (event) => void events.push(event) } } });
  const { services, clock, kv } = app;
  return Object.assign(app, {
    events,
    async check() {
      await clock.advance(5 * MINUTE);
      await startRecurringJobs(services);
      await app.work();
    },
    async failJob(id: string) {
      const now = clock.now();
      const job = newJobRow({ id, name: "cfbe_unknown", payload: {}, due: now }, now, []);
      const tx = kv.atomic();
      writeRow(tx, await readRow(kv, jobKey(id)), { ...job, state: "dead" });
      await tx.commit();
    },
  });
}

Deno.test("an open alert is on the page, in the navigation and in the hook, with the Overview's words, until it is resolved", async () => {
  await using app = await alertsHarness();
  const admin = await app.signIn();
  assert.match((await admin.page("/alerts")).html, /has not looked for problems yet/);
  await app.check();
  assert.match((await admin.page("/alerts")).html, /As of <time[^>]*>[^]*No open alerts/);
  assert.doesNotMatch((await admin.page("/overview")).html, /class="count"/);

  await app.failJob("deliver:l:ann@example.com");
  await app.check();
  const { html } = await admin.page("/alerts");
  assert.match(html, /1 job has failed\./);
  assert.match(html, /<span class="count">1 <span class="hidden">open/);
  const overview = (await admin.page("/overview")).html;
  const [opened] = app.events;
  for (const text of [opened!.what, opened!.todo]) {
    assert.ok(html.includes(text) && overview.includes(text), text);
  }
  assert.equal(opened!.url, "http://localhost:8000/admin/jobs?state=dead");
  assert.doesNotMatch(JSON.stringify(opened) + html, /ann@/);

  await (await admin.send("cfbe_cancel_job", { id: "deliver:l:ann@example.com" })).body?.cancel();
  await app.check();
  const after = (await admin.page("/alerts")).html;
  assert.match(after, /No open alerts/);
  assert.match(after, /Resolved in the last 30 days[^]*1 job has failed\./);
  assert.deepEqual(app.events.map(({ state }) => state), ["opened", "resolved"]);
});

Deno.test("a user without access to personal data sees the alerts, but no link to the jobs", async () => {
  await using app = await alertsHarness();
  const analyst = await app.signIn("analyst");
  await app.failJob("a");
  await app.check();
  const { html } = await analyst.page("/alerts");
  assert.match(html, /1 job has failed\./);
  assert.doesNotMatch(html, /Show failed jobs/);
});

Deno.test("an open alert whose problem has gone says when it was last seen, until it is resolved", async () => {
  await using app = await alertsHarness();
  const admin = await app.signIn();
  const { connected } = app.provider;
  const checkFor = async (minutes: number) => {
    for (let passed = 0; passed < minutes; passed += 5) await app.check();
    return (await admin.page("/alerts")).html;
  };
  app.provider.connected = { kind: "forbidden", message: "no" };
  await app.services.provider.connection();
  assert.match(await checkFor(15), /The provider does not allow our requests: HTTP 403: no\./);
  app.provider.connected = connected;
  await app.services.provider.connection();
  assert.match(await checkFor(15), /last seen <time[^]*It is resolved if it does not come back soon/);
  assert.match(await checkFor(20), /No open alerts/);
  const sent = app.events.map(({ kind, state }) => `${kind} ${state}`);
  assert.deepEqual(sent, ["provider opened", "provider resolved"]);
});

Deno.test("on Monday, the weekly summary is on the page and in the hook, once", async () => {
  await using app = await alertsHarness();
  const admin = await app.signIn();
  await app.check();
  assert.match((await admin.page("/alerts")).html, /No summary yet/);
  app.services.counters.count("footer", "accepted");
  app.services.counters.count("footer", "dropped.honeypot");
  await app.clock.advance(7 * 24 * 60 * MINUTE);
  await app.check();
  await app.check();
  const summaries = app.events.filter(({ state }) => state === "summary");
  assert.deepEqual(summaries.map(({ summary }) => summary?.signups), [1]);
  assert.match(summaries[0]!.text, /signups 1 \(0\)/);
  const { html } = await (await app.signIn()).page("/alerts");
  assert.match(html, /Not accepted because[^]*Bot: filled in the hidden field/);
});

Deno.test("without the hook, the page says how to get alerts elsewhere", async () => {
  await using app = await adminHarness();
  assert.match((await (await app.signIn()).page("/alerts")).html, /Alerts appear only here/);
});

Deno.test("a test alert is sent from the page, and the page says whether the hook failed", async () => {
  await using app = await alertsHarness();
  const admin = await app.signIn();
  assert.match((await admin.page("/alerts")).html, /Send a test alert/);
  const sent = await admin.send("cfbe_send_test_alert", {}, { accept: "application/json" });
  assert.match(await sent.text(), /Test alert sent/);
  assert.deepEqual(app.events.map(({ kind, state, level, text }) => ({ kind, state, level, text })), [{
    kind: "test",
    state: "test",
    level: "info",
    text:
      "localhost:8000 (cfbe): This is a test alert. No action is needed. http://localhost:8000/admin/alerts",
  }]);
  assert.match((await admin.page("/audit")).html, /Send test alert/);

  const fail = () => {
    throw new Error("boom");
  };
  await using failing = await adminHarness({ file: { actions: { cfbe_alert: fail } } });
  const failed = await (await failing.signIn()).send("cfbe_send_test_alert", {});
  assert.deepEqual([failed.status, /The test alert failed/.test(await failed.text())], [502, true]);
});

Deno.test("without cfbe_alert, the page has no button and the action says what to do", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  assert.doesNotMatch((await admin.page("/alerts")).html, /Send a test alert/);
  const refused = await admin.send("cfbe_send_test_alert", {});
  assert.deepEqual([refused.status, /Add cfbe_alert to the config file/.test(await refused.text())], [
    409,
    true,
  ]);
});
