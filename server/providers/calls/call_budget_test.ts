import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { createCallBudget } from "./call_budget.ts";
import type { CallLimits } from "../port/capabilities.ts";
import type { ListsResult, Provider } from "../port/port.ts";
import { type BeforeCall, withStepBefore, wrapCalls } from "./wrap_calls.ts";

const responds = (): Promise<ListsResult> => Promise.resolve({ kind: "lists", lists: [] });

/** What the next random number is. */
const randomness = { next: 0 };

/** Records when each call is sent. */
function budget(limits: CallLimits = {}, respond: () => Promise<ListsResult> = responds) {
  const clock = new ManualClock();
  const start = clock.now();
  const at: number[] = [];
  const lists = () => {
    at.push(clock.now() - start);
    return respond();
  };
  const provider = { capabilities: { limits }, lists } as unknown as Provider;
  const random = { float: () => randomness.next };
  const { urgent, background } = createCallBudget(() => provider.capabilities.limits, { clock, random });
  return {
    ...{ clock, at, provider },
    ...{ urgent: wrapCalls(provider, urgent), background: wrapCalls(provider, background) },
  };
}

Deno.test("background work makes five calls per second, after a burst of ten", async () => {
  const { clock, at, background } = budget();
  const done = (async () => {
    for (let call = 0; call < 20; call++) await background.lists();
  })();
  for (let step = 0; step < 20; step++) await clock.advance(100);
  await done;
  assert.deepEqual(at.slice(0, 11), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 200]);
  assert.equal(at.at(-1), 2_000);
});

Deno.test("urgent calls are sent at once, and background work waits for the budget", async () => {
  const { clock, at, urgent, background } = budget();
  for (let call = 0; call < 12; call++) await urgent.lists();
  assert.deepEqual(at, Array(12).fill(0));
  const done = background.lists();
  await clock.advance(500);
  assert.equal(at.length, 12);
  await clock.advance(200);
  await done;
  assert.equal(at.length, 13);
});

Deno.test("during a long rush of urgent calls, a background call waits at most a second", async () => {
  const { clock, at, urgent, background } = budget();
  let found = 0;
  const done = (async () => {
    for (; found < 5; found++) await background.lists();
  })();
  for (let step = 0; step < 60; step++) {
    for (let call = 0; call < 10; call++) await urgent.lists();
    await clock.advance(100);
  }
  await done;
  assert.equal(found, 5);
  assert.ok(at.length > 600);
});

const LIMITS: [string, CallLimits, number, number][] = [
  ["10 per second", { perSecond: 10 }, 10, 1_000],
  ["1 per second", { perSecond: 1 }, 1, 1_000],
  ["120 per minute", { perMinute: 120 }, 120, 60_000],
  ["100 per hour", { perHour: 100 }, 100, 3_600_000],
  ["10 per second and 3 requests a call", { perSecond: 10, requestsPerCall: 3 }, 10, 1_000],
  ["120 per minute and 2 requests a call", { perMinute: 120, requestsPerCall: 2 }, 120, 60_000],
];
for (const [name, limits, requests, spanMs] of LIMITS) {
  const calls = Math.floor(requests / (limits.requestsPerCall ?? 1));
  Deno.test(`with a limit of ${name}, no span of that length has more requests, urgent ones included`, async () => {
    const { clock, at, urgent, background } = budget(limits);
    let isOver = false;
    const keepCalling = async (provider: Provider) => {
      while (!isOver) {
        const result = await provider.lists();
        if (result.kind === "trouble") await clock.sleep(Math.max(100, result.retryAfterMs!));
      }
    };
    const callers = [urgent, urgent, urgent, background].map(keepCalling);
    for (let passed = 0; passed < 3 * spanMs; passed += spanMs / 40) await clock.advance(spanMs / 40);
    isOver = true;
    await clock.advance(120_000);
    await Promise.all(callers);
    for (const start of at) {
      assert.ok(at.filter((time) => time >= start && time < start + spanMs).length <= calls, `from ${start}`);
    }
    assert.ok(at.length >= calls * 1.9, `${at.length} calls`);
  });
}

Deno.test("no more calls run at the same time than the provider allows, and the others follow in order", async () => {
  const ends: (() => void)[] = [];
  const { urgent, at } = budget(
    { concurrent: 2 },
    () => new Promise((resolve) => ends.push(() => resolve({ kind: "lists", lists: [] }))),
  );
  const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
  const calls = Array.from({ length: 5 }, () => urgent.lists());
  await settled();
  for (const running of [2, 3, 4, 5, 5]) {
    assert.equal(at.length, running);
    ends.shift()!();
    await settled();
  }
  await Promise.all(calls);
});

Deno.test("a call that fails frees its connection", async () => {
  const { urgent } = budget({ concurrent: 1 }, () => Promise.reject(new Error("broken")));
  for (let i = 0; i < 3; i++) await assert.rejects(urgent.lists());
});

const rateLimited = (retryAfterMs?: number) => (): Promise<ListsResult> =>
  Promise.resolve({
    kind: "trouble",
    code: "rate_limited",
    reason: "HTTP 429",
    unknown: false,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });

Deno.test("after a 429 of any call, no call of the account is sent until the time that the provider asked for, but at most 15 minutes", async () => {
  for (const limits of [{}, { perSecond: 10 }]) {
    for (const [asked, paused] of [[30_000, 30_000], [600_000, 600_000], [3_600_000, 900_000]] as const) {
      const { clock, at, urgent, background } = budget(limits, rateLimited(asked));
      await urgent.lists();
      for (const provider of [urgent, background]) {
        const refused = await provider.lists();
        assert.ok(refused.kind === "trouble" && refused.code === "rate_limited" && !refused.unknown);
        assert.deepEqual([refused.retryAfterMs, refused.held], [paused, true]);
      }
      await clock.advance(paused - 15_000);
      assert.equal(at.length, 1);
      const second = urgent.lists();
      await clock.advance(15_000);
      await second;
      assert.deepEqual(at, [0, paused]);
    }
  }
});

Deno.test("after a pause, calls begin at five per second and double every two seconds, whatever is waiting", async () => {
  let works = false;
  const { clock, at, urgent } = budget({}, () => works ? responds() : rateLimited(10_000)());
  await urgent.lists();
  works = true;
  let found = 0;
  for (let n = 0; n < 28; n++) void urgent.lists().then(() => found++);
  for (let step = 0; step < 19; step++) await clock.advance(1_000);
  const within = (from: number, to: number) => at.filter((time) => time >= from && time < to).length;
  assert.deepEqual([within(1, 10_000), within(10_000, 12_000)], [0, 10]);
  assert.ok(within(12_000, 14_000) <= 21, `${within(12_000, 14_000)}`);
  assert.equal(found, 28);
  await clock.advance(10_000);
  const before = at.length;
  for (let n = 0; n < 100; n++) await urgent.lists();
  assert.equal(at.length, before + 100, "urgent calls are sent at once again");
});

Deno.test("callers that a pause refuses come back spread over a minute at most, none before its end", async () => {
  const { urgent } = budget({}, rateLimited(60_000));
  await urgent.lists();
  const waits: number[] = [];
  for (let n = 0; n < 400; n++) {
    randomness.next = (n % 100) / 100;
    const refused = await urgent.lists();
    waits.push(refused.kind === "trouble" ? refused.retryAfterMs! - 60_000 : NaN);
  }
  randomness.next = 0;
  assert.ok(Math.min(...waits) >= 0 && Math.max(...waits) < 60_000);
  assert.ok(Math.max(...waits) > 50_000);
  const fullest = Math.max(
    ...waits.map((from) => waits.filter((at) => at >= from && at < from + 1_000).length),
  );
  assert.ok(fullest < 60, `${fullest} in a second`);
});

Deno.test("a pause that began while the clock was ahead ends when it is right", async () => {
  const { clock, at, urgent } = budget({}, rateLimited(10_000));
  const start = clock.now();
  clock.set(start + 365 * 86_400_000);
  await urgent.lists();
  clock.set(start);
  await urgent.lists();
  assert.equal(at.length, 2);
});

Deno.test("a caller that stops waiting for a limit gets trouble, and no call is sent", async () => {
  const { at, urgent } = budget({ perSecond: 10 }, rateLimited(10_000));
  await urgent.lists();
  const stopped = urgent.status({ list: "a", email: "a@example.com" }, AbortSignal.abort());
  assert.equal((await stopped).kind, "trouble");
  assert.equal(at.length, 1);
});

Deno.test("a caller that stops waiting for a connection gets trouble at once, and its place in the line goes to the next", async () => {
  const ends: (() => void)[] = [];
  const { at, urgent } = budget(
    { concurrent: 1 },
    () => new Promise((resolve) => ends.push(() => resolve({ kind: "lists", lists: [] }))),
  );
  const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
  const running = urgent.lists();
  const caller = new AbortController();
  const stopped = urgent.status({ list: "a", email: "a@example.com" }, caller.signal);
  const next = urgent.lists();
  await settled();
  caller.abort();
  const result = await stopped;
  assert.deepEqual([result.kind, "code" in result && result.code], ["trouble", "rate_limited"]);
  assert.equal(at.length, 1);
  ends.shift()!();
  await settled();
  assert.equal(at.length, 2);
  ends.shift()!();
  assert.deepEqual((await Promise.all([running, next])).map(({ kind }) => kind), ["lists", "lists"]);
});

Deno.test("a step before a call runs once the budget allows the call, and can prevent it", async () => {
  const { clock, at, provider } = budget();
  const refusal = { kind: "trouble", code: "cancelled", reason: "no", unknown: false } as const;
  const limits = { perSecond: 1 };
  const within = createCallBudget(() => limits, { clock, random: { float: () => 0 } }).urgent;
  const steps: string[] = [];
  const listsAfter = (before: BeforeCall) => wrapCalls(withStepBefore(provider, before), within).lists();
  await listsAfter(() => Promise.resolve(undefined));
  const sent = listsAfter(() => Promise.resolve(void steps.push("sent")));
  await clock.advance(1_900);
  assert.deepEqual([steps, at.length], [[], 1], "the call waits, and so does its step");
  await clock.advance(200);
  await sent;
  assert.deepEqual([steps, at.length], [["sent"], 2]);
  const refused = listsAfter(() => Promise.resolve(refusal));
  await clock.advance(2_000);
  assert.deepEqual([await refused, at.length], [refusal, 2]);
});
