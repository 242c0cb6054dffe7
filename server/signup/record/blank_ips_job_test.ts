import assert from "node:assert/strict";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { ConsentRow } from "./row.ts";
import { newJobRow } from "../../platform/jobs/add.ts";
import { type JobName, writeRow } from "../../platform/jobs/row.ts";
import { startSlot } from "../../platform/jobs/recurring.ts";
import { BLANK_IPS_EVERY_MS, BLANK_IPS_JOB } from "./blank_ips_job.ts";

const DAY = 24 * 60 * 60_000;

async function runJob(app: Harness) {
  await startSlot(
    app.services,
    { name: "blank", everyMs: BLANK_IPS_EVERY_MS, now: app.clock.now() },
    BLANK_IPS_JOB,
  );
  await app.work();
}
async function consent(app: Harness, email: string): Promise<ConsentRow> {
  return (await app.consents(email))[0]!;
}

Deno.test("an IP is removed when its retention ends, and the rest of the proof of consent stays", async () => {
  await using app = await harness({ settings: { privacy: { ipRetentionDays: 2 } } });
  await app.post({ email: "old@example.com" }, { peer: "198.51.100.7" });
  const before = await consent(app, "old@example.com");
  await app.clock.advance(DAY);
  await app.post({ email: "new@example.com" }, { peer: "198.51.100.8" });
  await runJob(app);
  assert.equal((await consent(app, "old@example.com")).ip, "198.51.100.7");
  await app.clock.advance(DAY + 1);
  await runJob(app);
  assert.deepEqual(await consent(app, "old@example.com"), { ...before, ip: null });
  assert.equal((await consent(app, "new@example.com")).ip, "198.51.100.8");
});

Deno.test("a removed IP is nowhere in the database, and no index entry is left", async () => {
  await using app = await harness();
  await app.post({ email: "ada@example.com" }, { peer: "198.51.100.7" });
  await app.work();
  await app.clock.advance(91 * DAY);
  await runJob(app);
  assert.doesNotMatch(await app.dump(), /198\.51\.100\.7|consent_by_time/);
});

Deno.test("the job does not restore a consent row that was deleted in the meantime", async () => {
  await using app = await harness();
  await app.post({ email: "ada@example.com" });
  await app.work();
  const { at, id } = await consent(app, "ada@example.com");
  await app.kv.delete(keys.consent("ada@example.com", LIST, at, id));
  await app.clock.advance(91 * DAY);
  await runJob(app);
  assert.doesNotMatch(await app.dump(), /"consent"|consent_by_time/);
});

Deno.test("a failed job is deleted with the address and IP in it when the retention ends, but not an erasure that is still owed", async () => {
  await using app = await harness({ settings: { privacy: { ipRetentionDays: 2 } } });
  const payload = { email: "ada@example.com", ip: "203.0.113.7" };
  const fail = async (id: string, name: JobName) => {
    const now = app.clock.now();
    const row = { ...newJobRow({ id, name, payload, due: now }, now, []), state: "dead" as const };
    const tx = app.kv.atomic();
    writeRow(tx, null, row);
    await tx.commit();
  };
  await fail("checkout_signup:1", "cfbe_checkout_signup");
  await fail("erase:1", "cfbe_erase_person");
  await app.clock.advance(DAY);
  await fail("checkout_signup:2", "cfbe_checkout_signup");
  await app.clock.advance(DAY);
  await runJob(app);
  const { rows } = await app.queue.list({ state: "dead" });
  assert.deepEqual(rows.map(({ id }) => id).toSorted(), ["checkout_signup:2", "erase:1"]);
  assert.equal(await app.queue.get("checkout_signup:1"), null);
});
