import assert from "node:assert/strict";
import { type Harness, harness, LIST } from "../testing/harness.ts";
import { startProgram } from "../testing/program.ts";
import { stubTrouble } from "../testing/stub_provider.ts";

const ADA = "ada@example.com";

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
