import assert from "node:assert/strict";
import {
  ADA,
  choose,
  NEW_LIST,
  signUp,
  type Switching,
  switching,
} from "../../signup/confirm/testing/switching.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { erasePersonJob } from "./erase_job.ts";

const HOUR_MS = 60 * 60 * 1000;

/** Signs up at the old provider, chooses the new one, and signs up there too. */
async function atBoth(): Promise<Switching> {
  const world = await switching();
  await signUp(world, ADA);
  await choose(world, "mailerlite");
  await signUp(world, ADA);
  return world;
}

const isAt = async ({ old, fresh }: Switching) => [
  (await old.status({ list: LIST, email: ADA })).kind === "found",
  (await fresh.status({ list: NEW_LIST, email: ADA })).kind === "found",
];

/** Returns the results of erasures at providers in the audit log, as "provider result". */
async function auditedAt({ app }: Switching): Promise<string[]> {
  const { rows } = await app.services.admin.audit.list();
  return rows.filter(({ action }) => action === "cfbe_erase_at_provider")
    .map(({ changes, result }) => `${changes?.[0]?.after} ${result}`).toSorted();
}

Deno.test("an erasure reaches the provider that was chosen earlier, and its result names every provider", async () => {
  await using world = await atBoth();
  const { app } = world;
  assert.deepEqual(await isAt(world), [true, true]);
  const { provider, targets } = await app.services.people.erase(ADA, { provider: true });
  assert.equal(provider, true);
  assert.deepEqual(targets.map(({ title, state }) => [title, state]), [
    ["MailerLite", "reachable"],
    ["BlueFox Email", "reachable"],
  ]);
  await app.work();
  assert.deepEqual(await isAt(world), [false, false]);
  assert.deepEqual(await auditedAt(world), ["BlueFox Email done", "MailerLite done"]);
  assert.equal((await app.dump()).includes(ADA), false);
});

Deno.test("an outage of one provider delays neither the erasure at the other one nor loses its own", async () => {
  await using world = await atBoth();
  world.old.nextResults.erase.push(stubTrouble({ unknown: true }));
  await world.app.services.people.erase(ADA, { provider: true });
  await world.app.work();
  assert.deepEqual(await isAt(world), [true, false]);
  assert.deepEqual(await auditedAt(world), ["MailerLite done"]);
  await world.app.clock.advance(HOUR_MS);
  await world.app.work();
  assert.deepEqual(await isAt(world), [false, false]);
});

Deno.test("an erasure that another choice of provider follows still reaches those of its time", async () => {
  await using world = await atBoth();
  await world.app.services.people.erase(ADA, { provider: true });
  await choose(world, "listmonk");
  await world.app.work();
  assert.deepEqual(await isAt(world), [false, false]);
});

Deno.test("providers that an erasure can't reach are named with what to do, and recorded in the audit log as failed", async () => {
  await using world = await atBoth();
  const { app, fresh } = world;
  fresh.capabilities.erasure = false;
  await app.services.settings.save("general", { apiKey: "" });
  const { provider, targets } = await app.services.people.erase(ADA, { provider: true });
  assert.equal(provider, false);
  assert.deepEqual(targets.map(({ title, state }) => [title, state]), [
    ["MailerLite", "unsupported"],
    ["BlueFox Email", "no_key"],
  ]);
  await app.work();
  assert.deepEqual(await isAt(world), [true, true]);
  assert.deepEqual(await auditedAt(world), ["BlueFox Email failed", "MailerLite failed"]);
  assert.equal((await app.dump()).includes(ADA), false);
});

Deno.test("an erasure only in cfbe asks no provider", async () => {
  await using world = await atBoth();
  const { provider, targets } = await world.app.services.people.erase(ADA);
  await world.app.work();
  assert.deepEqual([provider, targets, await isAt(world)], [false, [], [true, true]]);
});

Deno.test("without its key, an erasure waits for the key to be set again", async () => {
  await using world = await atBoth();
  const { app } = world;
  await app.services.people.erase(ADA, { provider: true });
  await app.services.settings.save("general", { apiKey: "" });
  await app.work();
  assert.deepEqual(await isAt(world), [true, false]);
  await app.services.settings.save("general", { apiKey: "bluefox-key" });
  await app.clock.advance(HOUR_MS);
  await app.work();
  assert.deepEqual(await isAt(world), [false, false]);
});

for (const [when, isBefore] of [["before", true], ["after", false]] as const) {
  Deno.test(`killed ${when} an erasure at one provider, the next attempt finishes it at every provider`, async () => {
    await using world = await atBoth();
    const { erase } = world.old;
    let killed = false;
    world.old.erase = async (...args) => {
      if (killed) return await erase(...args);
      killed = true;
      if (!isBefore) await erase(...args);
      throw new Error("kill -9");
    };
    await world.app.services.people.erase(ADA, { provider: true });
    await world.app.work();
    assert.equal(killed, true);
    await world.app.clock.advance(HOUR_MS);
    await world.app.work();
    assert.deepEqual(await isAt(world), [false, false]);
  });
}

Deno.test("killed before it has deleted anything, an erasure still reaches every provider", async () => {
  await using world = await atBoth();
  const { app } = world;
  const { set } = app.kv;
  app.kv.set = () => Promise.reject(new Error("kill -9"));
  await assert.rejects(app.services.people.erase(ADA, { provider: true }), /kill -9/);
  app.kv.set = set;
  assert.ok(await app.record(ADA));
  await app.clock.advance(HOUR_MS);
  await app.work();
  assert.deepEqual(await isAt(world), [false, false]);
  assert.equal((await app.dump()).includes(ADA), false);
});

Deno.test("no provider is asked while a delivery that an erasure interrupted may still arrive", async () => {
  await using world = await switching();
  const { app, fresh } = world;
  await choose(world, "mailerlite");
  await (await app.post({ email: ADA })).body?.cancel();
  const { subscribe } = fresh;
  const [sent, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  fresh.subscribe = async (...args) => {
    sent.resolve();
    await arrived.promise;
    return await subscribe(...args);
  };
  const delivering = app.work();
  // A delivery that has sent nothing yet would see the erasure and wait for it.
  await sent.promise;
  // Killed before it has deleted anything, so that one of its two jobs interrupts the delivery, a minute later.
  const { set } = app.kv;
  app.kv.set = () => Promise.reject(new Error("kill -9"));
  await assert.rejects(app.services.people.erase(ADA, { provider: true }), /kill -9/);
  app.kv.set = set;
  await app.clock.advance(60_000);
  const erasures = () =>
    [world.old, fresh].flatMap(({ calls }) => calls.filter((call) => call.startsWith("erase")));
  await app.work();
  assert.deepEqual(erasures(), []);
  arrived.resolve();
  await delivering;
  await app.clock.advance(HOUR_MS);
  await app.work();
  assert.equal(erasures().length, 2);
  assert.deepEqual(await isAt(world), [false, false]);
});

Deno.test("no provider is asked while a request of a delivery may still arrive whose result is unknown", async () => {
  await using world = await switching();
  const { app, old } = world;
  old.nextResults.subscribe.push(stubTrouble({ unknown: true }));
  await signUp(world, ADA);
  const erasures = () => old.calls.filter((call) => call.startsWith("erase"));
  await app.services.people.erase(ADA, { provider: true });
  await app.work();
  assert.deepEqual(erasures(), []);
  await app.clock.advance(60_000);
  await app.work();
  assert.equal(erasures().length, 1);
});

Deno.test("an erasure that an earlier version queued is finished at the chosen provider", async () => {
  await using world = await atBoth();
  const { app } = world;
  const job = erasePersonJob("person", { email: ADA, provider: true });
  const { addJob } = await import("../../platform/jobs/add.ts");
  const { jobKey } = await import("../../platform/jobs/row.ts");
  const tx = app.kv.atomic();
  addJob(tx, await app.kv.get<never>(jobKey(job.id)), { ...job, due: app.clock.now() }, app.clock.now());
  await tx.commit();
  await app.work();
  assert.deepEqual(await isAt(world), [true, false]);
});
