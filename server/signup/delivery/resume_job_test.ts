import assert from "node:assert/strict";
import { SUBSCRIBE_PER_SITE } from "../../../shared/limits.ts";
import { SPREAD_BATCH } from "../../platform/jobs/bring_forward.ts";
import { createOutageEnd } from "../../providers/outage_end.ts";
import { createProviderHealth } from "../../providers/provider_health.ts";
import { type Harness, harness } from "../../../dev/testing/harness.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { resumeOnRecovery } from "./resume_job.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RESUME_JOB = "resume_deliveries";

/** Makes `lists` and all calls of a delivery fail, until the function that it returns is called. */
function outage(app: Harness, trouble = stubTrouble()): () => void {
  const { subscribe, status, lists } = app.provider;
  const fail = () => Promise.resolve(trouble);
  Object.assign(app.provider, { subscribe: fail, status: fail, lists: fail });
  return () => void Object.assign(app.provider, { subscribe, status, lists });
}

/** Signs up people during an outage, and lets their deliveries fail until their next retry is far away. */
async function waiting(app: Harness, people: number, hours = 1.5): Promise<void> {
  app.services.random.float = () => 0.99;
  const signUp = async (n: number) => {
    const response = await app.post({ email: `p${n}@example.com` }, { peer: `192.0.2.${n}` });
    assert.equal(response.status, 200);
  };
  for (let first = 0; first < people; first += SUBSCRIBE_PER_SITE.max) {
    await app.clock.advance(MINUTE_MS);
    const count = Math.min(SUBSCRIBE_PER_SITE.max, people - first);
    // At once, because each response takes 50 ms of real time (decision 12).
    await Promise.all(Array.from({ length: count }, (_, n) => signUp(first + n)));
  }
  for (let minutes = 0; minutes < hours * 60; minutes += 5) {
    await app.work();
    await app.services.provider.lists();
    await app.services.health.flush();
    await app.clock.advance(5 * MINUTE_MS);
  }
  await app.work();
  await app.services.health.flush();
  const { rows } = await app.queue.list({ state: "waiting" });
  assert.ok(rows[0]!.due > app.clock.now() + 30 * MINUTE_MS, "the retry is far away");
}

/** Lets the provider answer one call, as the poll makes it, and writes that to the database. */
async function firstSuccess(app: Harness): Promise<void> {
  await app.clock.advance(1);
  assert.equal((await app.services.provider.lists()).kind, "lists");
  await app.services.health.flush();
}

/** Runs jobs for a time, second by second. @returns the calls per second in each round, of a second or more */
async function runFor(app: Harness, seconds: number): Promise<number[]> {
  const calls: number[] = [];
  for (let second = 0; second < seconds; second++) {
    const [before, start] = [app.provider.calls.length, app.clock.now()];
    await app.work();
    await app.clock.advance(1000);
    calls.push((app.provider.calls.length - before) * 1000 / (app.clock.now() - start));
  }
  return calls;
}

const queued = async (app: Harness) => (await app.queue.list({ state: "waiting", limit: 100 })).rows.length;

Deno.test("after an outage, the first successful call delivers what waits, within the provider's budget", async () => {
  await using app = await harness();
  const people = SPREAD_BATCH.jobs + 5;
  const end = outage(app);
  await waiting(app, people);
  end();
  await firstSuccess(app);
  const calls = await runFor(app, 60);
  assert.equal(await queued(app), 0);
  assert.equal(app.provider.mails.length, people);
  assert.ok(Math.max(...calls) <= 10, `${Math.max(...calls)} calls in one second`);
});

Deno.test("a process that saw the outage resumes at once with the first success, before anything is flushed", async () => {
  await using app = await harness();
  const end = outage(app);
  await waiting(app, 8);
  end();
  await app.clock.advance(1);
  assert.equal((await app.services.provider.lists()).kind, "lists");
  await runFor(app, 5);
  assert.equal(await queued(app), 0);
  assert.equal(app.provider.mails.length, 8);
});

Deno.test("deliveries that failed just after the first success are resumed by the flush", async () => {
  await using app = await harness();
  const end = outage(app);
  await waiting(app, 8);
  const { lists } = app.provider;
  app.provider.lists = () => Promise.resolve({ kind: "lists", lists: [] });
  await app.clock.advance(1);
  await app.services.provider.lists();
  await runFor(app, 5);
  assert.ok(await queued(app) > 0, "the deliveries still failed");
  app.provider.lists = lists;
  end();
  await firstSuccess(app);
  await runFor(app, 5);
  assert.equal(await queued(app), 0);
});

Deno.test("a provider that fails and works in turn resumes deliveries at most once a minute", () => {
  const clock = new ManualClock();
  const ends = createOutageEnd(clock);
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) assert.equal(ends("subscribe", "no_connection"), false);
  };
  fail(2);
  assert.equal(ends("subscribe", undefined), false, "two failures are not an outage");
  fail(3);
  assert.equal(ends("status", undefined), false, "another call shows nothing");
  assert.equal(ends("subscribe", undefined), true);
  fail(3);
  assert.equal(ends("subscribe", undefined), false, "within the minute");
  clock.set(clock.now() + MINUTE_MS);
  fail(3);
  assert.equal(ends("subscribe", undefined), true);
  clock.set(clock.now() + MINUTE_MS);
  for (let n = 0; n < 5; n++) ends("subscribe", "rate_limited");
  assert.equal(ends("subscribe", undefined), false, "a rate limit is no outage");
});

Deno.test("a provider that allows few calls gets the deliveries as slowly as it allows", async () => {
  await using app = await harness();
  const end = outage(app);
  await waiting(app, 6);
  end();
  app.provider.capabilities.limits = { perMinute: 60 };
  await firstSuccess(app);
  await runFor(app, 9);
  assert.equal(
    await queued(app),
    2,
    "one delivery in 2.5 seconds: cfbe makes 48 calls a minute, and each may take two",
  );
});

Deno.test("a delivery waits for the time that the provider asked for, also after an outage", async () => {
  await using app = await harness();
  const end = outage(app, stubTrouble({ retryAfterMs: 5 * HOUR_MS }));
  await waiting(app, 3, 0);
  for (let n = 0; n < 3; n++) await app.services.provider.lists();
  await app.services.health.flush();
  end();
  await firstSuccess(app);
  assert.ok(await app.queue.get(RESUME_JOB));
  await runFor(app, 10);
  assert.equal(await queued(app), 3);
});

Deno.test("one delivery that fails again and again while others succeed is not retried more often", async () => {
  await using app = await harness();
  const { subscribe } = app.provider;
  app.provider.subscribe = (target, person) =>
    target.email === "p0@example.com" ? Promise.resolve(stubTrouble()) : subscribe(target, person);
  for (let n = 0; n < 20; n++) {
    await app.clock.advance(MINUTE_MS);
    await app.post({ email: `p${n}@example.com` }, { peer: `192.0.2.${n}` });
    await app.work();
    await app.services.health.flush();
    assert.equal(await app.queue.get(RESUME_JOB), null);
  }
});

Deno.test("deliveries that fail again are not brought forward again, and the others keep their time", async () => {
  await using app = await harness();
  const people = SPREAD_BATCH.jobs + 5;
  const end = outage(app);
  await waiting(app, people);
  end();
  await firstSuccess(app);
  await app.work();
  outage(app);
  await app.clock.advance(MINUTE_MS);
  await app.work();
  await app.services.health.flush();
  await runFor(app, 60);
  assert.equal(await app.queue.get(RESUME_JOB), null);
  const { rows } = await app.queue.list({ state: "waiting", limit: 100 });
  const moved = rows.filter(({ history }) => history.some(({ note }) => note.includes("works again")));
  assert.equal(rows.length - moved.length, 5, "the second batch was not started");
});

Deno.test("a process that dies before it has stored the success leaves the recovery to the next one", async () => {
  await using app = await harness();
  const end = outage(app);
  await waiting(app, 2);
  end();
  const { clock, services: { kv, random, log } } = app;
  const processes = [0, 1].map(() =>
    createProviderHealth({ kv, clock, random, log }, resumeOnRecovery({ clock }))
  );
  await clock.advance(1);
  for (const each of processes) await each.watch(app.provider, () => "bluefox").lists();
  assert.equal(await app.queue.get(RESUME_JOB), null, "the first process dies here");
  await processes[1]!.flush();
  assert.ok(await app.queue.get(RESUME_JOB));
  await app.work();
  await processes[1]!.watch(app.provider, () => "bluefox").lists();
  await processes[1]!.flush();
  assert.equal(await app.queue.get(RESUME_JOB), null, "once per outage");
});
