import assert from "node:assert/strict";
import { addJob } from "../../platform/jobs/add.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { cas } from "../../platform/kv/cas.ts";
import { keys } from "../../platform/kv/keys.ts";
import { putRecord } from "../record/record.ts";
import type { SignupRecord } from "../record/row.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { checkJob } from "./check_job.ts";
import { ADA, choose, NEW_LIST, signUp, type Switching, switching } from "./testing/switching.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Makes a signup pending at the old provider, chooses the new one, and confirms at the old one. */
async function switched(): Promise<Switching> {
  const world = await switching();
  await signUp(world, ADA);
  assert.equal((await world.app.record(ADA))!.provider, "bluefox");
  await choose(world, "mailerlite");
  world.old.put(LIST, ADA, "active");
  return world;
}

Deno.test("after another provider is chosen, the poll finds open confirmations at the old one", async () => {
  await using world = await switched();
  const report = await world.app.services.poll.run();
  assert.deepEqual([report.confirmed, report.trouble], [1, undefined]);
  assert.equal((await world.app.record(ADA))!.status, "active");
  assert.deepEqual(world.fresh.calls, []);
});

Deno.test("after another provider is chosen, a check of an open confirmation asks the old one", async () => {
  await using world = await switched();
  const check = checkJob({ email: ADA, list: LIST }, "admin");
  const { clock, kv, services: { random } } = world.app;
  await cas(kv, { job: jobKey(check.id) }, ({ job }) => ({
    value: undefined,
    write: (tx) => void addJob(tx, job, { ...check, due: clock.now() }, clock.now()),
  }), { clock, random });
  await world.app.work();
  assert.equal((await world.app.record(ADA))!.status, "active");
  assert.deepEqual(world.fresh.calls, []);
});

Deno.test("new signups are delivered to the new provider, and an outage of the old one does not stop their poll", async () => {
  await using world = await switched();
  const { app, old, fresh } = world;
  await signUp(world, "new@example.com");
  const record = (await app.record("new@example.com", NEW_LIST))!;
  assert.deepEqual([record.status, record.provider], ["pending", "mailerlite"]);
  fresh.put(NEW_LIST, "new@example.com", "active");
  old.nextResults.page.push(stubTrouble());
  const report = await app.services.poll.run();
  assert.deepEqual([report.confirmed, report.trouble], [1, "HTTP 503"]);
  assert.equal((await app.record("new@example.com", NEW_LIST))!.status, "active");
  assert.equal((await app.record(ADA))!.status, "pending");
});

Deno.test("a signup that was accepted before the switch is delivered to the provider that has its list, and only there", async () => {
  await using world = await switching();
  const { app, old, fresh } = world;
  await app.post({ email: ADA });
  await choose(world, "mailerlite");
  await app.work();
  const record = (await app.record(ADA))!;
  assert.deepEqual([record.status, record.provider], ["pending", "bluefox"]);
  assert.deepEqual([old.mails, fresh.calls], [[ADA], []]);
});

Deno.test("an attempt that was interrupted is repeated at its own provider after the switch", async () => {
  await using world = await switching();
  const { app, old, fresh } = world;
  old.nextResults.status.push({ kind: "absent" }, stubTrouble({ unknown: true }));
  await signUp(world, ADA);
  assert.equal((await app.record(ADA))!.status, "queued");
  await choose(world, "mailerlite");
  await app.clock.advance(DAY);
  await app.work();
  assert.equal((await app.record(ADA))!.status, "pending");
  assert.deepEqual([old.mails, fresh.calls], [[ADA], []]);
});

Deno.test("a record from before cfbe stored the provider belongs to the one that was chosen first", async () => {
  await using world = await switching();
  const { app, old, fresh } = world;
  const at = app.clock.now();
  const record: SignupRecord = {
    ...{ v: 2, email: ADA, list: LIST, status: "pending", tags: [], source: "popup", since: at },
    ...{ createdAt: at, updatedAt: at },
  };
  await putRecord(app.kv.atomic(), null, record).commit();
  await choose(world, "mailerlite");
  await choose(world, "listmonk");
  old.put(LIST, ADA, "active");
  assert.equal((await app.services.poll.run()).confirmed, 1);
  assert.equal((await app.record(ADA))!.status, "active");
  assert.deepEqual(fresh.calls, []);
});

Deno.test("a signup that an earlier release made pending, beside this one, is polled at its own provider", async () => {
  await using world = await switched();
  const { app, fresh } = world;
  await signUp(world, "new@example.com");
  const { since } = (await app.record("new@example.com", NEW_LIST))!;
  // Earlier releases do not name the provider in the index.
  await app.kv.set(keys.byStatus("pending", NEW_LIST, since, "new@example.com"), 1);
  fresh.put(NEW_LIST, "new@example.com", "active");
  assert.equal((await app.services.poll.run()).confirmed, 2);
});

Deno.test("where both providers have a list with the same ID, each is asked only about its own signups", async () => {
  await using world = await switching();
  const { app, old, fresh } = world;
  await signUp(world, ADA);
  await choose(world, "mailerlite", LIST);
  await signUp(world, "bea@example.com");
  // The next poll asks for the changes since this one.
  assert.equal((await app.services.poll.run()).confirmed, 0);
  await app.clock.advance(15 * 60_000);
  // Ada is on that list of the new provider for another reason.
  fresh.put(LIST, ADA, "active");
  fresh.put(LIST, "bea@example.com", "active");
  assert.equal((await app.services.poll.run()).confirmed, 1);
  assert.deepEqual([(await app.record(ADA))!.status, (await app.record("bea@example.com"))!.status], [
    "pending",
    "active",
  ]);
  await app.clock.advance(15 * 60_000);
  old.put(LIST, ADA, "active");
  assert.equal((await app.services.poll.run()).confirmed, 1);
  assert.equal((await app.record(ADA))!.provider, "bluefox");
});

Deno.test("a change at one provider does not reach the record of somebody on the other one's list with the same ID", async () => {
  await using world = await switching();
  const { app, old, fresh } = world;
  await signUp(world, ADA);
  await choose(world, "mailerlite", LIST);
  await signUp(world, "bea@example.com");
  fresh.put(LIST, "bea@example.com", "active");
  for (let poll = 0; poll < 2; poll++) await app.services.poll.run();
  await app.clock.advance(15 * 60_000);
  // Only the old provider still has an open confirmation, so this poll reads its changes.
  old.put(LIST, "bea@example.com", "unsubscribed");
  await app.services.poll.run();
  assert.equal((await app.record("bea@example.com"))!.listStatus, "active");
});
