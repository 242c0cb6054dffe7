import assert from "node:assert/strict";
import { type ConfirmedEvent, createHooks } from "../../settings/hooks/hooks.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { signupStatuses } from "../../operations/remote/signup_status.ts";
import { putRecord } from "../record/record.ts";
import { type ProcessDeps, type ProcessSetup, ProcessWorld } from "../../../dev/testing/process_world.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";
import { stubProvider } from "../../../dev/testing/stub_provider.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { notifyConfirmed, notifyOnActive } from "./confirmed_hook.ts";
import { confirmAtSandbox } from "./testing/confirm_at_sandbox.ts";
import { syncRecord } from "./sync_record.ts";

const ADA = "ada@example.com";
const LIST = "l";
const DAY_MS = 24 * 60 * 60 * 1000;

async function start(listener: (event: ConfirmedEvent) => unknown) {
  const clock = new ManualClock();
  const program = await startProgram({ clock, file: { actions: { cfbe_confirmed: listener } } });
  return { program, clock };
}

async function signUp(program: TestProgram, email: string) {
  await (await program.subscribe({ email })).body?.cancel();
  await program.runner.idle();
}

async function loseWebhooks(program: TestProgram) {
  const response = await fetch(`${program.baseUrl}/sandbox/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ webhooks: "lose" }),
  });
  await response.body?.cancel();
}

Deno.test("cfbe_confirmed fires once per confirmation, with the record and who reported it", async () => {
  const events: ConfirmedEvent[] = [];
  const { program } = await start((event) => void events.push(event));
  await using _ = program;
  await signUp(program, ADA);
  assert.equal(events.length, 0);
  await confirmAtSandbox(program, ADA);
  await program.runner.idle();
  const { record } = (await signupStatuses(program.services, ADA))![0]!;
  assert.deepEqual(events, [{
    email: ADA,
    list: record.list,
    source: record.source,
    by: "webhook",
    at: record.confirmed!.at,
    record,
  }]);
  await program.services.poll.run();
  await program.runner.idle();
  assert.equal(events.length, 1);
});

Deno.test("cfbe_confirmed fires for a confirmation that the delivery of a second signup notices first", async () => {
  const events: ConfirmedEvent[] = [];
  const { program } = await start((event) => void events.push(event));
  await using _ = program;
  await loseWebhooks(program);
  await signUp(program, ADA);
  await confirmAtSandbox(program, ADA);
  await signUp(program, ADA);
  assert.deepEqual(events.map(({ email, by }) => [email, by]), [[ADA, "delivery"]]);
});

Deno.test("cfbe_confirmed fires for a confirmation that the poll finds, and not for an address that was subscribed before", async () => {
  const events: ConfirmedEvent[] = [];
  const { program } = await start((event) => void events.push(event));
  await using _ = program;
  await loseWebhooks(program);
  await signUp(program, ADA);
  await confirmAtSandbox(program, ADA);
  await program.tick();
  await program.runner.idle();
  await signUp(program, "active@example.com");
  assert.deepEqual(events.map(({ email, by }) => [email, by]), [[ADA, "poll"]]);
});

Deno.test("a listener of cfbe_confirmed that fails is called again for a day, and then given up without a failed job", async () => {
  let calls = 0;
  const { program, clock } = await start(() => {
    calls++;
    throw new Error("The CRM is down.");
  });
  await using _ = program;
  await signUp(program, ADA);
  await confirmAtSandbox(program, ADA);
  await program.runner.idle();
  assert.equal(calls, 1);
  // The last call can be six hours after the day, which is the longest wait between two.
  for (let hours = 0; hours < 31; hours++) {
    await clock.advance(60 * 60 * 1000);
    await program.runner.idle();
  }
  assert.ok(calls > 5, `${calls} calls`);
  assert.equal((await signupStatuses(program.services, ADA))![0]!.record.status, "active");
  const before = calls;
  await clock.advance(2 * DAY_MS);
  await program.runner.idle();
  assert.equal(calls, before);
  assert.equal((await program.queue.list({ state: "dead" })).rows.length, 0);
});

Deno.test("a listener of cfbe_confirmed that was told is not told again", async () => {
  let calls = 0;
  const { program, clock } = await start(() => void calls++);
  await using _ = program;
  await signUp(program, ADA);
  await confirmAtSandbox(program, ADA);
  for (let hours = 0; hours < 8; hours++) {
    await program.runner.idle();
    await clock.advance(60 * 60 * 1000);
  }
  assert.equal(calls, 1);
});

Deno.test("without listeners, a confirmation writes no job for cfbe_confirmed", async () => {
  const tx = { set: () => assert.fail("a job was added"), check: () => assert.fail("a job was added") };
  const clock = new ManualClock();
  const log = { error() {}, warn() {}, info() {} } as never;
  const onActive = notifyOnActive({ hooks: createHooks({}, { clock, log }), clock });
  onActive(tx as never, { email: ADA, list: LIST, since: 1 } as never);
  await Promise.resolve();
});

/** Confirmations in simulated processes on one database. */
class ConfirmedWorld extends ProcessWorld<{ activate(): Promise<unknown> }> {
  events = 0;

  protected setUp(deps: ProcessDeps): ProcessSetup<{ activate(): Promise<unknown> }> {
    const hooks = createHooks({ actions: { cfbe_confirmed: () => void this.events++ } }, deps);
    const provider = stubProvider(this.clock);
    provider.status = () => Promise.resolve({ kind: "found", status: "active" });
    const signupProviders = { nameOf: () => "stub", named: () => provider };
    const onActive = notifyOnActive({ hooks, clock: this.clock });
    const seen = { email: ADA, list: LIST, provider: "stub", status: "active" } as const;
    return {
      jobs: [notifyConfirmed({ ...deps, hooks }) as JobDefinition<unknown>],
      api: { activate: () => syncRecord({ ...deps, signupProviders, onActive }, seen, false) },
    };
  }
}

Deno.test("a process that dies between any two commits of a confirmation loses no cfbe_confirmed", async () => {
  let wasInterrupted = true;
  for (let halfTrips = 0; wasInterrupted; halfTrips++) {
    await using temp = await tempKv();
    const world = new ConfirmedWorld(temp.kv);
    const at = { since: 1, createdAt: 1, updatedAt: 1 };
    const pending = {
      v: 1,
      email: ADA,
      list: LIST,
      status: "pending",
      tags: [],
      source: "popup",
      ...at,
    } as const;
    await putRecord(temp.kv.atomic(), null, { ...pending, tags: [] }).commit();
    const { process } = world;
    process.crashing.interruptAfter(halfTrips, "crash");
    void process.activate();
    await world.quiet();
    await world.take({ do: "work" });
    wasInterrupted = world.events === 0 || halfTrips < 4;
    await world.take({ do: "reclaim" });
    void world.process.activate();
    await world.quiet();
    await world.take({ do: "work" });
    assert.ok(world.events >= 1 && world.events <= 2, `${world.events} events after ${halfTrips} half trips`);
  }
});
