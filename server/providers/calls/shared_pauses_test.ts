import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { API_KEY, type Harness, harness, LIST, runDueJobs } from "../../../dev/testing/harness.ts";
import { type StubProvider, stubProvider, stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { createQueue } from "../../platform/jobs/queue.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { createServices, type Services } from "../../program/services.ts";
import { createSharedPauses } from "./shared_pauses.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import type { SettingsStore } from "../../settings/store/store.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const limited = (retryAfterMs: number) =>
  stubTrouble({ code: "rate_limited", reason: "HTTP 429", retryAfterMs });
const target = (name: string) => ({ list: LIST, email: `${name}@example.com` });

interface Process {
  provider: StubProvider;
  services: Services;
  /** Runs its due jobs. */
  work(): Promise<void>;
}

/** Starts another process on the database of the first. */
function anotherProcess(
  app: Harness,
  { clock = app.clock, settings = app.services.settings }: { clock?: ManualClock; settings?: SettingsStore } =
    {},
): Process {
  const { kv, log, services: { random } } = app;
  const provider = stubProvider(clock);
  const services = createServices({
    ...app.services,
    clock,
    callClock: clock,
    settings,
    provider,
    providerNamed: () => provider,
  });
  const queue = createQueue({ kv, clock, random, alongside: services.pauses });
  return { provider, services, work: () => runDueJobs({ queue, clock, log }, services.jobs) };
}

const stored = async ({ kv }: Harness) => (await kv.get(keys.providerPauses())).value;

Deno.test("after a 429 in one process, no process on the database calls the account until the pause is over", async () => {
  await using app = await harness();
  const other = anotherProcess(app);
  app.provider.nextResults.status.push(limited(30_000));
  await app.post({ email: "ada@example.com" });
  await app.work();
  assert.deepEqual(app.provider.calls, ["status ada@example.com"]);
  await app.clock.advance(2_000);
  await app.post({ email: "bob@example.com" });
  await other.work();
  const direct = await other.services.provider.status(target("eve"));
  assert.ok(direct.kind === "trouble" && direct.code === "rate_limited");
  assert.deepEqual(other.provider.calls, [], "neither a job nor the admin calls");
  // The retry waits up to half a minute longer.
  await app.clock.advance(MINUTE_MS);
  await other.work();
  assert.deepEqual((await app.record("bob@example.com"))?.status, "pending");
});

Deno.test("a process that starts during a pause calls nothing until it is over, and then begins slowly", async () => {
  await using app = await harness();
  app.provider.nextResults.status.push(limited(30_000));
  await app.services.provider.status(target("ada"));
  const { provider, services } = anotherProcess(app);
  const early = await services.provider.status(target("bob"));
  assert.ok(early.kind === "trouble" && early.retryAfterMs === 30_000);
  await app.clock.advance(30_000);
  const asleep = app.clock.sleeping;
  const calls = Array.from({ length: 8 }, (_, n) => services.provider.status(target(`p${n}`)));
  // Each has read the pause, and was sent or waits for its turn.
  while (provider.calls.length + app.clock.sleeping - asleep < calls.length) {
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await app.clock.advance(900);
  assert.ok(provider.calls.length >= 4 && provider.calls.length <= 6, `${provider.calls.length} in a second`);
  // A call may sleep, or write that the pause is over, only after the clock was set.
  let isPending = true;
  const ended = Promise.all(calls).finally(() => isPending = false);
  while (isPending) {
    await app.clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await ended;
});

Deno.test("a success after the pause deletes it, and one that was under way when it began does not", async () => {
  await using app = await harness();
  const { provider, services } = app;
  const answer = Promise.withResolvers<void>();
  const status = provider.status.bind(provider);
  provider.status = async (...args) => {
    if (args[0].email === "slow@example.com") await answer.promise;
    return await status(...args);
  };
  const slow = services.provider.status(target("slow"));
  provider.nextResults.status.push(limited(30_000));
  await services.provider.status(target("ada"));
  answer.resolve();
  assert.equal((await slow).kind, "absent");
  assert.ok(await stored(app));
  assert.equal((await anotherProcess(app).services.provider.status(target("bob"))).kind, "trouble");
  await app.clock.advance(30_000);
  assert.equal((await services.provider.status(target("ada"))).kind, "absent");
  assert.deepEqual(await stored(app), { v: 1, pauses: {} });
});

Deno.test("a pause that a process stored while its clock was ahead ends as soon as it would have", async () => {
  await using app = await harness();
  const ahead = anotherProcess(app, { clock: new ManualClock(app.clock.now() + 365 * DAY_MS) });
  ahead.provider.nextResults.status.push(limited(3 * MINUTE_MS));
  await ahead.services.provider.status(target("ada"));
  const { provider } = app.services;
  for (let minute = 0; minute < 3; minute++) {
    assert.equal((await provider.status(target("bob"))).kind, "trouble", `${minute}`);
    await app.clock.advance(MINUTE_MS);
  }
  assert.equal((await provider.status(target("bob"))).kind, "absent");
  assert.deepEqual(await stored(app), { v: 1, pauses: {} }, "nor does it begin again after a restart");
});

Deno.test("a pause of another account stops nothing: the key was changed, or another provider chosen", async () => {
  await using app = await harness({ settings: { general: { provider: "bluefox" } } });
  app.provider.nextResults.status.push(limited(10 * MINUTE_MS));
  await app.services.provider.status(target("ada"));
  assert.equal((await app.services.provider.status(target("ada"))).kind, "trouble");
  const { settings } = app.services;
  const changed = (general: Record<string, string>): SettingsStore => ({
    ...settings,
    current: () => ({ ...settings.current(), general: { ...settings.current().general, ...general } }),
  });
  for (const general of [{ apiKey: `${API_KEY}2` }, { provider: "kit" }]) {
    const { services } = anotherProcess(app, { settings: changed(general) });
    assert.equal((await services.provider.status(target("ada"))).kind, "absent", JSON.stringify(general));
  }
  const same = anotherProcess(app);
  assert.equal((await same.services.provider.status(target("ada"))).kind, "trouble");
  assert.doesNotMatch(JSON.stringify(await stored(app)), new RegExp(API_KEY));
});

Deno.test("calls read the pause at most once a second", async () => {
  await using app = await harness();
  const { provider } = app.services;
  app.reset();
  for (let n = 0; n < 5; n++) await provider.status(target("ada"));
  assert.deepEqual(app.counts, { reads: 1, commits: 0 });
  await app.clock.advance(1_000);
  await provider.status(target("ada"));
  assert.equal(app.counts.reads, 2);
});

Deno.test("while the database fails, the pause is unknown and nothing rejects", async () => {
  const fails = () => Promise.reject(new Error("the database is unavailable"));
  const kv = { get: fails, getMany: fails } as unknown as Kv;
  const clock = new ManualClock();
  const pauses = createSharedPauses({
    kv,
    clock,
    random: seededRandom(1),
    log: memoryLog(),
    longestMs: MINUTE_MS,
  });
  const pause = pauses.of("a");
  await pause.begin(clock.now() + 1_000);
  assert.equal(await pause.until(), undefined);
  await pause.end(clock.now());
});
