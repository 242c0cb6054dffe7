import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { harness } from "../../../dev/testing/harness.ts";
import {
  ACTION_LIMIT_MS,
  type Actions,
  createHooks,
  FILTER_LIMIT_MS,
  type Filters,
  type Listeners,
  type PurgeEvent,
} from "./hooks.ts";

const EVENT: PurgeEvent = { tab: "form" };
const never = () => new Promise<never>(() => {});

function made(own: { actions?: Listeners<Actions>; filters?: Listeners<Filters> }) {
  const clock = new ManualClock();
  const log = memoryLog();
  return { clock, log, hooks: createHooks(own, { clock, log }) };
}

/**
 * Advances the clock until `work` is done, by no more than a hook is waited for: other time-outs, such as the
 * database's, run meanwhile.
 */
async function advanceUntil<T>(
  { clock }: { clock: ManualClock },
  work: Promise<T>,
  limitMs = FILTER_LIMIT_MS,
): Promise<T> {
  let done = false;
  const watched = work.finally(() => done = true);
  while (!done) {
    if (clock.wakesIn <= limitMs) await clock.advance(clock.wakesIn);
    else await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return await watched;
}

Deno.test("an action that throws, synchronously or later, is logged and has no other effect", async () => {
  for (const emit of [() => Promise.reject(new Error("no")), () => assert.fail("no")]) {
    const { hooks, log } = made({ actions: { cfbe_purge_page_cache: emit } });
    await hooks.emit("cfbe_purge_page_cache", EVENT);
    assert.equal(log.of("hook.failed").length, 1);
  }
});

Deno.test("a hanging action times out after ten seconds, a filter after one", async () => {
  const { hooks, clock, log } = made({
    actions: { cfbe_purge_page_cache: never },
    filters: { cfbe_signup_site_limit: never },
  });
  for (
    const [limit, call] of [
      [ACTION_LIMIT_MS, () => hooks.emit("cfbe_purge_page_cache", EVENT)],
      [FILTER_LIMIT_MS, () => hooks.filter("cfbe_signup_site_limit", 30)],
    ] as const
  ) {
    let ended: unknown;
    const calling = Promise.resolve(call()).then((value) => ended = [value]);
    await clock.advance(limit - 1);
    assert.equal(ended, undefined);
    await clock.advance(1);
    await calling;
    assert.deepEqual(ended, [limit === FILTER_LIMIT_MS ? 30 : false]);
  }
  assert.equal(log.of("hook.timed_out").length, 2);
});

Deno.test("a hook that ends leaves no timer running", async () => {
  const { hooks, clock } = made({
    actions: { cfbe_purge_page_cache: () => {} },
    filters: { cfbe_capability: (c) => `${c}!` },
  });
  await hooks.emit("cfbe_purge_page_cache", EVENT);
  assert.equal(await hooks.filter("cfbe_capability", "admin"), "admin!");
  assert.equal(clock.sleeping, 0);
});

Deno.test("without a filter, or if it fails or returns nothing, the value stays the same", async () => {
  const filters: (Partial<Filters>)[] = [
    {},
    { cfbe_signup_site_limit: () => assert.fail("no") },
    { cfbe_signup_site_limit: () => undefined as unknown as number },
    { cfbe_signup_site_limit: () => Promise.reject(new Error("no")) },
  ];
  for (const own of filters) {
    assert.equal(await made({ filters: own }).hooks.filter("cfbe_signup_site_limit", 30), 30);
  }
});

Deno.test("the listeners of an action are called one after the other, whatever the others do", async () => {
  const calls: string[] = [];
  const { hooks, clock, log } = made({
    actions: {
      cfbe_purge_page_cache: [
        async (event) => {
          await clock.sleep(5_000);
          calls.push("first");
          event.tab = "popup";
        },
        () => assert.fail("no"),
        never,
        ({ tab }) => calls.push(`last ${tab}`),
      ],
    },
  });
  await advanceUntil({ clock }, hooks.emit("cfbe_purge_page_cache", EVENT), ACTION_LIMIT_MS);
  assert.deepEqual(calls, ["first", "last form"]);
  assert.equal(log.of("hook.failed")[0]!.fields["listener"], 2);
  assert.equal(log.of("hook.timed_out")[0]!.fields["listener"], 3);
});

Deno.test("a filter's value passes from listener to listener, skipping those that fail half-way or hang", async () => {
  const { hooks, clock, log } = made({
    filters: {
      cfbe_tags: [
        (tags) => [...tags, "a"],
        (tags) => {
          tags.length = 0;
          throw new Error("no");
        },
        never,
        () => [7] as unknown as string[],
        (tags, { email }) => [...tags, email],
      ],
    },
  });
  const filtering = hooks.filter("cfbe_tags", ["t"], { email: "z", for: "contact" });
  await clock.advance(FILTER_LIMIT_MS);
  assert.deepEqual(await filtering, ["t", "a", "z"]);
  assert.equal(log.of("hook.invalid_result").length, 1);
});

Deno.test("a filter that returns false ends the chain", async () => {
  let calls = 0;
  const { hooks } = made({
    filters: { cfbe_signup: [(signup) => signup, () => false, (signup) => (calls++, signup)] },
  });
  const signup = {
    email: "a@b.example",
    list: "l",
    tags: [],
    source: "block",
    consent: true,
    ip: null,
  } as const;
  assert.equal(await hooks.filter("cfbe_signup", { ...signup, tags: [] }), false);
  assert.equal(calls, 0);
});

/** Hooks that misbehave in every way that could lose a signup. */
const faultyHooks: Record<string, { actions?: Listeners<Actions>; filters?: Listeners<Filters> }> = {
  "filters that throw": {
    filters: {
      cfbe_client_ip: () => assert.fail("no"),
      cfbe_signup_site_limit: () => assert.fail("no"),
      cfbe_signup: () => assert.fail("no"),
      cfbe_tags: [() => assert.fail("no"), () => Promise.reject(new Error("no"))],
    },
  },
  "filters that hang": {
    filters: {
      cfbe_client_ip: never,
      cfbe_signup_site_limit: never,
      cfbe_signup: [never, never],
      cfbe_tags: never,
    },
  },
  "filters that return garbage": {
    filters: {
      cfbe_client_ip: () => ({ ip: 1 }) as unknown as string,
      cfbe_signup_site_limit: () => "many" as unknown as number,
    },
  },
  "a filter that reads the body": {
    filters: { cfbe_client_ip: async (ip, request) => (await request.text(), ip) },
  },
  "actions that throw": { actions: { cfbe_subscribed: () => assert.fail("no") } },
  "actions that hang": { actions: { cfbe_subscribed: never, cfbe_webhook_received: never } },
  "an action that changes its event": {
    actions: { cfbe_subscribed: (event) => void Object.assign(event.record, { email: "eve@example.com" }) },
  },
};
for (const [name, file] of Object.entries(faultyHooks)) {
  Deno.test(`${name} lose no signup and no confirmation`, async () => {
    await using app = await harness({ file });
    assert.equal((await advanceUntil(app, app.post({ email: "ada@example.com" }))).status, 200);
    await advanceUntil(app, app.work(), ACTION_LIMIT_MS);
    assert.equal((await app.record("ada@example.com"))?.status, "pending");
    app.provider.put("list-1", "ada@example.com", "active");
    const hook = await advanceUntil(
      app,
      app.hook({ automationId: "a", contact: { email: "ada@example.com" } }),
    );
    assert.deepEqual(await hook.json(), { ok: true, action: "queued" });
    await advanceUntil(app, app.work(), ACTION_LIMIT_MS);
    assert.equal((await app.record("ada@example.com"))?.status, "active");
    assert.equal(await app.queue.nextDue(), undefined);
    await app.clock.advance(ACTION_LIMIT_MS);
  });
}

Deno.test("the filter cfbe_client_ip overrides the visitor's IP if it returns a valid one", async () => {
  const calls: string[] = [];
  await using app = await harness({
    settings: { privacy: { ipSource: "x-real-ip", trustedProxies: ["192.0.2.1"] } },
    file: {
      filters: {
        cfbe_client_ip: (ip, request) => (calls.push(ip), request.headers.get("x-visitor") ?? ip),
      },
    },
  });
  const from = (headers: Record<string, string>) => app.post({ email: "no" }, { headers });
  for (let i = 0; i < 5; i++) await from({ "x-visitor": "198.51.100.7", "x-real-ip": `203.0.113.${i}` });
  assert.equal((await from({ "x-visitor": "198.51.100.7" })).status, 429);
  assert.equal((await from({ "x-visitor": "::ffff:198.51.100.7" })).status, 429);
  assert.equal((await from({ "x-visitor": "nowhere" })).status, 400);
  assert.deepEqual(calls.slice(0, 2), ["203.0.113.0", "203.0.113.1"]);
});

Deno.test("an action says whether a listener failed, so that its caller can fire it again", async () => {
  const fire = (...listeners: (() => unknown)[]) =>
    made({ actions: { cfbe_purge_page_cache: listeners } }).hooks.emit("cfbe_purge_page_cache", EVENT);
  const fail = () => {
    throw new Error("no");
  };
  assert.equal(await fire(), true);
  assert.equal(await fire(() => {}), true);
  assert.equal(await fire(fail, () => {}), false);
});
