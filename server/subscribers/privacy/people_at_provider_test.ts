import assert from "node:assert/strict";
import type { JobRow } from "../../platform/jobs/row.ts";
import { keys } from "../../platform/kv/keys.ts";
import { createMarkers } from "../../shops/mail/markers.ts";
import type { ProviderTable } from "../../providers/module.ts";
import { PROVIDERS } from "../../providers/providers.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { putRecord } from "../../signup/record/record.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { createPeople } from "./people.ts";

const ADA = "ada@example.com";
const MINUTE_MS = 60_000;

async function signUp(app: Harness): Promise<void> {
  const response = await app.post({ email: ADA });
  assert.equal(response.status, 200);
  await response.body?.cancel();
}

/** Runs due jobs each minute. */
async function workFor(app: Harness, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    await app.work();
    await app.clock.advance(MINUTE_MS);
  }
  await app.work();
}

/** Signs up, and erases the address here and at the provider, which has an outage. */
async function eraseDuringOutage(app: Harness) {
  await (await app.post({ email: ADA })).body?.cancel();
  await app.work();
  app.provider.nextResults.erase.push(stubTrouble({ unknown: true }));
  const result = await app.services.people.erase(ADA, { provider: true });
  await app.work();
  return result;
}

Deno.test("an erasure at the provider is retried after an outage, and recorded in the audit log without the address", async () => {
  await using app = await harness();
  const { provider } = await eraseDuringOutage(app);
  assert.equal(provider, true);
  assert.deepEqual((await app.services.admin.audit.list()).rows, []);
  assert.equal((await app.provider.status({ list: LIST, email: ADA })).kind, "found");
  await app.clock.advance(3_600_000);
  await app.work();
  assert.equal((await app.provider.status({ list: LIST, email: ADA })).kind, "absent");
  const [row] = (await app.services.admin.audit.list()).rows;
  assert.deepEqual([row!.action, row!.result], ["cfbe_erase_at_provider", "done"]);
  assert.equal(row!.target, app.services.admin.audit.target(ADA));
  assert.equal((await app.dump()).includes(ADA), false);
});

Deno.test("an erasure is queued for every provider, however many there are", async () => {
  await using app = await harness();
  const { services } = app;
  const names = Array.from({ length: 25 }, (_, n) => `provider${n}`);
  const table = Object.fromEntries(names.map((name) => [name, {
    ...PROVIDERS.bluefox,
    fields: { [name]: PROVIDERS.bluefox.fields.apiKey },
    apiKey: name,
  }]));
  const { general, ...others } = services.settings.current();
  const keysOfAll = Object.fromEntries(names.map((name) => [name, `key of ${name}`]));
  const settings = { ...others, general: { ...general, provider: names[0]!, ...keysOfAll } } as Settings;
  const people = createPeople({
    ...services,
    random: seededRandom(1),
    markers: createMarkers(services.keyring),
    audit: services.admin.audit,
    settings: { current: () => settings, providers: table as unknown as ProviderTable },
    providerNamed: () => app.provider,
    others: [],
  });
  const { targets } = await people.erase(ADA, { provider: true });
  assert.equal(targets.length, names.length);
  const { rows } = await app.queue.list({ state: "waiting", limit: 100 });
  assert.deepEqual(rows.map(({ payload }) => (payload as { at: string }).at).toSorted(), names.toSorted());
});

Deno.test("a second erasure without the provider does not cancel the first one's request to the provider", async () => {
  await using app = await harness();
  await eraseDuringOutage(app);
  await app.services.people.erase(ADA);
  await app.clock.advance(3_600_000);
  await app.work();
  assert.equal((await app.provider.status({ list: LIST, email: ADA })).kind, "absent");
});

Deno.test("an erasure at the provider waits for a running delivery", async () => {
  await using app = await harness();
  await (await app.post({ email: ADA })).body?.cancel();
  const { subscribe } = app.provider;
  const arrived = Promise.withResolvers<void>();
  app.provider.subscribe = async (...args) => (await arrived.promise, await subscribe(...args));
  const delivering = app.work();
  while ((await app.queue.list({ state: "running" })).rows.length === 0);
  await app.services.people.erase(ADA, { provider: true });
  await app.work();
  const asked = app.provider.calls.filter((call) => !call.startsWith("status"));
  assert.deepEqual(asked, [], "nothing is written at the provider yet");
  arrived.resolve();
  await delivering;
  await app.clock.advance(60_000);
  await app.work();
  assert.equal((await app.provider.status({ list: LIST, email: ADA })).kind, "absent");
  assert.equal((await app.dump()).includes(ADA), false);
});

Deno.test("an erasure at the provider also erases the sandbox's data", async () => {
  await using program = await startProgram();
  await (await program.subscribe({ email: ADA })).body?.cancel();
  await program.runner.idle();
  const { provider, settings, people } = program.services;
  const target = { list: settings.current().general.defaultList, email: ADA };
  assert.equal((await provider.status(target)).kind, "found");
  await people.erase(ADA, { provider: true });
  await program.runner.idle();
  assert.equal((await provider.status(target)).kind, "absent");
  assert.equal((await provider.contact(ADA)).kind, "absent");
});

Deno.test("a signup after an erasure that the provider has not done yet is delivered after the erasure, and stays", async () => {
  await using app = await harness();
  await signUp(app);
  await app.work();
  app.provider.put(LIST, ADA, "active");
  app.provider.nextResults.erase.push(stubTrouble(), stubTrouble(), stubTrouble());
  await app.services.people.erase(ADA, { provider: true });
  await app.work();
  await app.clock.advance(1_000);
  await signUp(app);
  await workFor(app, 30);
  assert.equal((await app.record(ADA))?.status, "pending");
  assert.deepEqual(await app.provider.status({ list: LIST, email: ADA }).then(({ kind }) => kind), "found");
  const calls = app.provider.calls.filter((call) => /^(erase|subscribe)/.test(call));
  assert.deepEqual(calls.slice(-2), [`erase ${ADA}`, `subscribe ${ADA}`], "erased first");
  app.provider.put(LIST, ADA, "active");
  await app.services.poll.run();
  await workFor(app, 60);
  assert.equal((await app.record(ADA))?.status, "active");
  assert.deepEqual((await app.services.admin.audit.list()).rows.map(({ result }) => result), ["done"]);
});

Deno.test("a provider that responds but can't erase does not keep back a later signup for more than about an hour", async () => {
  await using app = await harness();
  app.provider.erase = () => Promise.resolve(stubTrouble({ code: "forbidden", reason: "HTTP 403" }));
  await app.services.people.erase(ADA, { provider: true });
  await app.work();
  await app.clock.advance(1_000);
  await signUp(app);
  await workFor(app, 62);
  assert.equal((await app.record(ADA))?.status, "pending");
  const { rows } = await app.services.admin.audit.list();
  assert.deepEqual(rows.map(({ action, result }) => [action, result]), [[
    "cfbe_erase_at_provider",
    "failed",
  ]]);
  await workFor(app, 10);
  assert.equal((await app.record(ADA))?.status, "pending");
});

Deno.test("after a long outage, an earlier erasure is done before a later signup is delivered", async () => {
  await using app = await harness();
  await signUp(app);
  await app.work();
  const { erase, status } = app.provider;
  app.provider.erase = () => Promise.resolve(stubTrouble());
  app.provider.status = () => Promise.resolve(stubTrouble());
  await app.services.people.erase(ADA, { provider: true });
  await app.work();
  await app.clock.advance(1_000);
  await signUp(app);
  await workFor(app, 150);
  Object.assign(app.provider, { erase, status });
  app.provider.calls.length = 0;
  await workFor(app, 70);
  assert.deepEqual(app.provider.calls.slice(0, 3), [`erase ${ADA}`, `status ${ADA}`, `subscribe ${ADA}`]);
  assert.equal((await app.record(ADA))?.status, "pending");
});

Deno.test("an erasure that was interrupted erases only what is older than its request", async () => {
  for (const erased of ["nothing", "everything"]) {
    await using app = await harness();
    const { people } = app.services;
    await (await app.post({ email: ADA, name: "Ada" })).body?.cancel();
    await app.clock.advance(1_000);
    const requestedAt = app.clock.now();
    const { eraseLocally } = people;
    people.eraseLocally = async (email, until) => {
      if (erased === "everything") await eraseLocally(email, until);
      throw new Error("killed");
    };
    await assert.rejects(people.erase(ADA, { provider: true }), /killed/);
    people.eraseLocally = eraseLocally;
    await app.clock.advance(1_000);
    await (await app.post({ email: ADA }, { peer: "192.0.2.9" })).body?.cancel();
    await workFor(app, 5);
    const record = await app.record(ADA);
    assert.deepEqual([record?.status, record?.name], ["pending", undefined], erased);
    assert.ok(record!.createdAt > requestedAt);
    assert.equal((await app.consents(ADA)).length, 1);
    assert.equal((await app.provider.status({ list: LIST, email: ADA })).kind, "found");
  }
});

Deno.test("an erasure of an earlier version takes no newer signup with it, and is recorded as failed", async () => {
  await using app = await harness();
  app.provider.nextResults.erase.push(stubTrouble());
  await app.services.people.erase(ADA, { provider: true });
  await app.work();
  const { id } = (await app.queue.list({ state: "waiting" })).rows[0]!;
  const job = (await app.kv.get<JobRow>(keys.job(id))).value!;
  const { requestedAt: _, isErasedHere: __, ...payload } = job.payload as Record<string, unknown>;
  await app.kv.set(keys.job(id), { ...job, payload });
  const at = app.clock.now() + 1_000;
  await putRecord(app.kv.atomic(), null, {
    ...{ v: 2, email: ADA, list: LIST, status: "pending", since: at, tags: [], source: "popup" },
    ...{ createdAt: at, updatedAt: at },
  }).commit();
  app.provider.put(LIST, ADA, "pending");
  await workFor(app, 60);
  assert.deepEqual(app.provider.calls, [`erase ${ADA}`]);
  assert.equal((await app.record(ADA))?.status, "pending");
  assert.deepEqual((await app.services.admin.audit.list()).rows.map(({ result }) => result), ["failed"]);
});
