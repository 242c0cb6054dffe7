import assert from "node:assert/strict";
import { BLANK_IPS_JOB } from "../../signup/record/blank_ips_job.ts";
import { startSlot } from "../jobs/recurring.ts";
import { keys } from "../kv/keys.ts";
import type { ShownAuditRow } from "./search.ts";
import { type AdminHarness, adminHarness, PASSWORD } from "../../../dev/testing/admin_harness.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
const TOKEN = { authorization: "Bearer the-api-token-of-tests" };

const logIn = (app: AdminHarness, fields: Record<string, string>, peer?: string, cookie = "") =>
  app.fetch("/admin/login", {
    method: "POST",
    headers: { origin: "http://localhost:8000", cookie },
    body: new URLSearchParams({ name: "the-admin", password: PASSWORD, ...fields }),
  }, peer);

async function rowsOf(app: AdminHarness): Promise<ShownAuditRow[]> {
  return (await app.services.admin.audit.list()).rows;
}

Deno.test("a sign-in is in the audit log with its IP, and with the browser if it is known", async () => {
  await using app = await adminHarness();
  await app.signIn();
  const firstResponse = await logIn(app, {}, "198.51.100.7");
  const device = firstResponse.headers.getSetCookie().find((line) => line.startsWith("cfbe_device="))!.split(
    ";",
  )[0]!;
  await app.clock.advance(1000);
  await logIn(app, {}, "198.51.100.8", device);
  const [second, first] = (await rowsOf(app)).map(({ who, action, result, ip, device }) => [
    who,
    action,
    result,
    ip,
    device,
  ]);
  assert.deepEqual(first, ["the-admin", "cfbe_sign_in", "done", "198.51.100.7", undefined]);
  assert.deepEqual(second, [
    "the-admin",
    "cfbe_sign_in",
    "done",
    "198.51.100.8",
    device.split("=")[1]!.slice(0, 8),
  ]);
});

Deno.test("failed sign-ins are counted in one row per hour for each user, and one for all unknown names", async () => {
  await using app = await adminHarness();
  await app.signIn();
  for (let i = 0; i < 12; i++) {
    const name = i % 3 === 0 ? "the-admin" : `nobody-${i}`;
    await (await logIn(app, { name, password: "a wrong one" }, `198.51.${i}.1`)).body?.cancel();
  }
  const rows = (await rowsOf(app)).map(({ who, result, count, ip }) => [who, result, count, ip]);
  assert.deepEqual(rows.toSorted(), [
    ["someone as the-admin", "refused", 4, "198.51.9.1"],
    ["someone under an unknown name", "refused", 8, "198.51.11.1"],
  ]);
  assert.doesNotMatch(await app.dump(), /nobody-1/);
  await app.clock.advance(HOUR_MS);
  await (await logIn(app, { password: "a wrong one" })).body?.cancel();
  assert.equal((await rowsOf(app)).length, 3);
});

Deno.test("backups, use of the API token and people viewed with it are in the audit log, with the IP", async () => {
  await using app = await adminHarness();
  for (let i = 0; i < 3; i++) {
    await (await app.post({ email: `ann${i}@example.com` }, { peer: `192.0.2.${i}` })).body?.cancel();
  }
  await app.work();
  const request = (path: string, body?: object) =>
    app.fetch(
      path,
      { headers: TOKEN, ...(body && { method: "POST", body: JSON.stringify(body) }) },
      "203.0.113.9",
    );
  await (await request("/ops/backup")).body?.cancel();
  for (let i = 0; i < 2; i++) assert.equal((await request("/ops/signups", {})).status, 200);
  await (await request("/ops/counts")).body?.cancel();
  const rows = (await rowsOf(app)).map(({ who, action, count, ip }) => [who, action, count, ip]);
  assert.deepEqual(rows.toSorted(), [
    ["API token", "cfbe_api_request", 4, "203.0.113.9"],
    ["API token", "cfbe_backup", undefined, "203.0.113.9"],
    ["API token", "cfbe_read_subscribers", 6, "203.0.113.9"],
  ]);
});

Deno.test("the command line on a running service is in the audit log under its own name, but only with the API token", async () => {
  await using app = await adminHarness();
  const post = (path: string, body: object, token = TOKEN) =>
    app.fetch(path, {
      method: "POST",
      headers: { ...token, "x-cfbe-client": "command-line", "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  assert.equal((await post("/admin/ajax", { action: "cfbe_deactivate" })).status, 200);
  assert.equal((await post("/ops/counts", {})).status, 200);
  const other = { authorization: "Bearer another-token-of-somebody" };
  assert.equal((await post("/admin/ajax", { action: "cfbe_activate" }, other)).status, 401);
  assert.equal((await post("/ops/counts", {}, other)).status, 401);
  const rows = (await rowsOf(app)).map(({ who, action }) => [who, action]);
  assert.deepEqual(rows.toSorted(), [
    ["command line", "cfbe_api_request"],
    ["command line", "cfbe_deactivate"],
    ["someone with a wrong API token", "cfbe_api_request"],
  ]);
});

Deno.test("viewing the subscribers in the admin is in the audit log, with the number of subscribers shown", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn("viewer");
  for (let i = 0; i < 3; i++) {
    await (await app.post({ email: `ann${i}@example.com` }, { peer: `192.0.2.${i}` })).body?.cancel();
  }
  await app.work();
  assert.equal((await admin.page("/subscribers")).status, 200);
  assert.equal((await admin.page("/subscribers")).status, 200);
  const [row] = await rowsOf(app);
  assert.deepEqual([row!.who, row!.action, row!.count], ["the-viewer", "cfbe_read_subscribers", 6]);
});

Deno.test("the audit log page describes actions and exports in plain words, with their IP", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await admin.send("cfbe_export_person", { email: "ann@example.com" });
  await (await app.fetch("/admin/subscribers/subscribers.csv", { headers: { cookie: admin.cookie } })).text();
  assert.deepEqual((await rowsOf(app)).map(({ ip }) => ip), ["192.0.2.1", "192.0.2.1"]);
  const { html } = await admin.page("/audit");
  for (const text of ["Export personal data", "Export subscribers", "192.0.2.1"]) {
    assert.ok(html.includes(text), text);
  }
});

Deno.test("only IPs are deleted from the audit log, after their retention", async () => {
  await using app = await adminHarness({ settings: { privacy: { ipRetentionDays: 2 } } });
  await app.signIn();
  await logIn(app, {}, "198.51.100.7");
  const before = await rowsOf(app);
  await app.clock.advance(2 * DAY_MS + 1);
  await logIn(app, {}, "198.51.100.8");
  await startSlot(app.services, { name: "blank", everyMs: DAY_MS, now: app.clock.now() }, BLANK_IPS_JOB);
  await app.work();
  assert.doesNotMatch(await app.dump(), /198\.51\.100\.7/);
  const { ip: _, ...kept } = before[0]!;
  assert.deepEqual((await rowsOf(app)).at(-1), kept);
  assert.equal((await rowsOf(app))[0]!.ip, "198.51.100.8");
  assert.equal((await Array.fromAsync(app.kv.list({ prefix: keys.auditIpAll() }))).length, 1);
});
