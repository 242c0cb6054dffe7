import assert from "node:assert/strict";
import { harness } from "../../../dev/testing/harness.ts";
import { diagnose } from "../doctor/doctor.ts";
import { wrap } from "../../platform/kv/wrap.ts";
import { eventually } from "../../../dev/testing/eventually.ts";

Deno.test("readyz returns 200 while the database responds, and tells whether the service is deactivated or not set up", async () => {
  await using app = await harness();
  const ready = async () => {
    const response = await app.fetch("/readyz");
    assert.equal(response.headers.get("cache-control"), "no-store");
    return [response.status, await response.json()];
  };
  const healthy = { ok: true, database: true, active: true, configured: true, visitorIps: true };
  assert.deepEqual(await ready(), [200, healthy]);
  await app.services.activation.deactivate();
  assert.deepEqual(await ready(), [200, { ...healthy, active: false }]);
  await app.services.activation.activate();
  await app.services.settings.save("general", { defaultList: "" });
  assert.deepEqual(await ready(), [200, { ...healthy, configured: false }]);
});

Deno.test("readyz returns 503 with the cause while commits fail, although reads succeed", async () => {
  await using app = await harness();
  const { databaseHealth } = app.services;
  const full = new TypeError("database or disk is full");
  const kv = databaseHealth.watch(wrap(app.kv, { set: () => Promise.reject(full) }));
  await assert.rejects(kv.set(["signup"], 1));
  const response = await app.fetch("/readyz");
  const { ok, database, databaseCause } = await response.json();
  assert.deepEqual([response.status, ok, database, databaseCause], [503, false, false, "full"]);
});

Deno.test("readyz returns 503 while the host passes on no visitor IPs, which is logged once", async () => {
  await using app = await harness();
  for (const email of ["ann@example.com", "ben@example.com"]) {
    await (await app.post({ email }, { peer: "" })).body?.cancel();
  }
  const response = await app.fetch("/readyz");
  assert.deepEqual([response.status, (await response.json()).visitorIps], [503, false]);
  assert.equal(app.log.of("visitor_ip.unknown").length, 1);
  const { findings } = await diagnose(app.services, { fetch: () => Promise.reject(new Error("offline")) });
  assert.ok(findings.some(({ id, level }) => id === "visitor_ip.unknown" && level === "error"));
});

Deno.test("readyz returns 503 when the database fails or does not respond within a second", async () => {
  for (const hangs of [false, true]) {
    await using app = await harness();
    app.kv.get = () => hangs ? new Promise(() => {}) : Promise.reject(new Error("unavailable"));
    const request = app.fetch("/readyz");
    if (hangs) {
      await eventually("it waits", () => app.clock.sleeping > 0);
      await app.clock.advance(1_000);
    }
    const response = await request;
    assert.deepEqual([response.status, (await response.json()).database], [503, false]);
    assert.equal((await app.fetch("/healthz")).status, 200);
  }
});
