import assert from "node:assert/strict";
import { type Harness, harness } from "../../../dev/testing/harness.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { jobKey, type JobRow } from "../../platform/jobs/row.ts";
import { createMarkers } from "../../shops/mail/markers.ts";
import { createErasures } from "./erasures.ts";

/** What a signup can do with an earlier erasure that the provider has not done yet. */

const ADA = "ada@example.com";
const HOUR_MS = 60 * 60 * 1000;

/** Asks for an erasure that waits for its retry, and returns what finds and changes it. */
async function waitingErasure(app: Harness, trouble: Parameters<typeof stubTrouble>[0] = {}) {
  const { services } = app;
  app.provider.nextResults.erase.push(...Array.from({ length: 9 }, () => stubTrouble(trouble)));
  await services.people.erase(ADA, { provider: true });
  // The time that its request takes at most does not count.
  for (let times = 0; times < 3; times++) {
    await app.clock.advance(30_000);
    await app.work();
  }
  app.provider.nextResults.erase.length = 0;
  const markers = createMarkers(services.keyring);
  const erasures = createErasures({ ...services, markers, audit: services.admin.audit });
  const name = services.settings.current().general.provider;
  const open = () => erasures.openAt(name, ADA);
  return { erasures, name, open, job: (await open())! };
}

const audited = async ({ services }: Harness) => (await services.admin.audit.list()).rows.length;

Deno.test("an erasure that waits for its retry is brought forward to now", async () => {
  await using app = await harness();
  const { erasures, name, open, job } = await waitingErasure(app);
  assert.ok(job.due > app.clock.now());
  await erasures.bringForward(name, ADA);
  assert.deepEqual(await open(), { ...job, due: app.clock.now() });
  await app.work();
  assert.equal(await open(), undefined);
  await erasures.bringForward(name, ADA);
  assert.equal(await open(), undefined);
});

Deno.test("an erasure is brought forward to no earlier time than the provider has named", async () => {
  await using app = await harness();
  const { erasures, name, open, job } = await waitingErasure(app, { retryAfterMs: HOUR_MS });
  await erasures.bringForward(name, ADA);
  const due = (await open())!.due;
  assert.ok(due > app.clock.now() && due === job.notBefore && due <= job.due);
});

Deno.test("an erasure that has not failed yet is not changed", async () => {
  await using app = await harness();
  const { erasures, name, open, job } = await waitingErasure(app);
  const first: JobRow = { ...job, failures: 0 };
  await app.kv.set(jobKey(job.id), first);
  await erasures.bringForward(name, ADA);
  assert.deepEqual(await open(), first);
});

Deno.test("an erasure that waits is given up as failed, one that runs is not, and one that has failed needs nothing", async () => {
  await using app = await harness();
  const { erasures, name, open, job } = await waitingErasure(app);
  await app.kv.set(jobKey(job.id), { ...job, state: "running" });
  assert.equal(await erasures.giveUp(name, ADA), false);
  assert.equal((await open())?.state, "running");
  await app.kv.set(jobKey(job.id), job);
  assert.equal(await erasures.giveUp(name, ADA), true);
  assert.equal(await app.queue.get(job.id), null);
  const before = await audited(app);
  assert.ok(before > 0);
  assert.equal(await erasures.giveUp(name, ADA), true);
  await app.kv.set(jobKey(job.id), { ...job, state: "dead" });
  assert.equal(await open(), undefined);
  assert.equal(await erasures.giveUp(name, ADA), true);
  assert.equal((await app.queue.get(job.id))?.state, "dead");
  assert.equal(await audited(app), before);
});

Deno.test("an erasure that fails for good is in the audit log as failed, once", async () => {
  await using app = await harness();
  app.provider.erase = () => Promise.resolve(stubTrouble());
  await app.services.people.erase(ADA, { provider: true });
  for (let hours = 0; hours < 100; hours++) {
    await app.work();
    await app.clock.advance(HOUR_MS);
  }
  assert.equal((await app.queue.list({ state: "dead" })).rows.length, 1);
  const { rows } = await app.services.admin.audit.list();
  assert.deepEqual(rows.map(({ action, result }) => [action, result]), [[
    "cfbe_erase_at_provider",
    "failed",
  ]]);
});
