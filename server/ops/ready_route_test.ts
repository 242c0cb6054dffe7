import assert from "node:assert/strict";
import { harness } from "../testing/harness.ts";
import { diagnose } from "./doctor/doctor.ts";
import { eventually } from "../testing/eventually.ts";

Deno.test("readyz says yes while the database answers, also when the service is off or not set up", async () => {
  await using b = await harness();
  const ready = async () => {
    const answer = await b.fetch("/readyz");
    assert.equal(answer.headers.get("cache-control"), "no-store");
    return [answer.status, await answer.json()];
  };
  const well = { ok: true, database: true, active: true, configured: true, visitorsToldApart: true };
  assert.deepEqual(await ready(), [200, well]);
  await b.services.activation.deactivate();
  assert.deepEqual(await ready(), [200, { ...well, active: false, configured: false }]);
});

Deno.test("readyz says no while the host hands over no visitor's address, and the log says so once", async () => {
  await using b = await harness();
  for (const email of ["ann@example.com", "ben@example.com"]) {
    await (await b.post({ email }, { peer: "" })).body?.cancel();
  }
  const answer = await b.fetch("/readyz");
  assert.deepEqual([answer.status, (await answer.json()).visitorsToldApart], [503, false]);
  assert.equal(b.log.of("visitor_ip.unknown").length, 1);
  const { findings } = await diagnose(b.services, { fetch: () => Promise.reject(new Error("offline")) });
  assert.ok(findings.some(({ id, level }) => id === "visitor_ip.unknown" && level === "error"));
});

Deno.test("readyz says no when the database refuses, and when it does not answer within a second", async () => {
  for (const hangs of [false, true]) {
    await using b = await harness();
    b.kv.get = () => hangs ? new Promise(() => {}) : Promise.reject(new Error("away"));
    const asked = b.fetch("/readyz");
    if (hangs) {
      await eventually("it waits", () => b.clock.sleeping > 0);
      await b.clock.advance(1_000);
    }
    const answer = await asked;
    assert.deepEqual([answer.status, (await answer.json()).database], [503, false]);
    assert.equal((await b.fetch("/healthz")).status, 200);
  }
});
