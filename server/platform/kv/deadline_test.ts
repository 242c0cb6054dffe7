import assert from "node:assert/strict";
import { steadyClock } from "../deps.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { cas } from "./cas.ts";
import { Chains } from "./chains.ts";
import { NoAnswer, NotBegun, withDeadline } from "./deadline.ts";
import { openDenoKv } from "./engines/deno_kv.ts";
import { withGroupCommit } from "./group_commit.ts";
import { typed } from "./key.ts";
import { listing } from "./listing.ts";
import { committing } from "./operation.ts";
import type { Kv, KvKey } from "./port.ts";
import { wrap } from "./wrap.ts";

const MS = 10_000;
const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** Opens a database whose calls can be held back before they are made. */
async function opened() {
  const temp = await tempKv();
  const clock = new ManualClock();
  const deadline = { ms: MS, clock };
  let held: PromiseWithResolvers<void> | undefined;
  let heldBack: Promise<unknown>[] = [];
  const after = <T>(call: () => Promise<T>) => () => {
    if (!held) return call();
    const made = held.promise.then(call);
    heldBack.push(made);
    return made;
  };
  const slow = wrap(temp.kv, {
    get: (...args: Parameters<Kv["get"]>) => after(() => temp.kv.get(...args))(),
    getMany: (...args: Parameters<Kv["getMany"]>) => after(() => temp.kv.getMany(...args))(),
    set: (...args: Parameters<Kv["set"]>) => after(() => temp.kv.set(...args))(),
    delete: (...args: Parameters<Kv["delete"]>) => after(() => temp.kv.delete(...args))(),
    ...listing((...args) => after(() => temp.kv.page(...args))()),
    ...committing((operation) => after(() => temp.kv.commit(operation))()),
  });
  const inTime = withDeadline(slow, deadline);
  return {
    raw: temp.kv,
    clock,
    deadline,
    kv: inTime,
    grouped: withGroupCommit(inTime, { atOnce: 1, deadline }),
    hold: () => void (held = Promise.withResolvers()),
    /** Makes the calls that were held back, and waits for them: nobody else does, after their time has passed. */
    async release() {
      held?.resolve();
      held = undefined;
      await Promise.allSettled(heldBack);
      heldBack = [];
    },
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

const row: KvKey = ["row"];
const CALLS: Record<string, (kv: Kv) => Promise<unknown>> = {
  get: (kv) => kv.get(row),
  getMany: (kv) => kv.getMany([row]),
  set: (kv) => kv.set(row, 1),
  delete: (kv) => kv.delete(row),
  list: (kv) => Array.fromAsync(kv.list({ prefix: [] })),
  commit: (kv) => kv.atomic().set(row, 1).commit(),
};

for (const [name, call] of Object.entries(CALLS)) {
  Deno.test(`a call without an answer ends after ten seconds, and no later call waits for it: ${name}`, async () => {
    await using db = await opened();
    db.hold();
    const first = assert.rejects(call(db.kv), NoAnswer);
    await turn();
    await db.clock.advance(MS / 2);
    const second = call(db.kv);
    await db.clock.advance(MS / 2);
    await first;
    await db.release();
    await second;
    assert.equal(db.clock.sleeping, 0, "a timer is left");
    await call(db.kv);
    assert.equal(db.clock.sleeping, 0, "a timer is left");
  });
}

Deno.test("an error of the database stays what it is", async () => {
  await using db = await opened();
  await assert.rejects(db.kv.set(["too large"], "x".repeat(70_000)), /too large/i);
});

Deno.test("commits that waited in vain behind one without an answer are refused, and none of them is made later", async () => {
  await using db = await opened();
  db.hold();
  const commit = (n: number) => db.grouped.atomic().set(["row", n], new Uint8Array([n])).commit();
  const hanging = assert.rejects(commit(0), NoAnswer);
  await turn();
  const early = Array.from({ length: 20 }, () => assert.rejects(commit(1), NotBegun));
  await db.clock.advance(MS - 1);
  const late = commit(2);
  await db.clock.advance(1);
  await hanging;
  await Promise.all(early);
  await db.release();
  assert((await late).ok);
  const found = await Array.fromAsync(db.raw.list({ prefix: ["row"] }), ({ key }) => key[1]);
  // The first was under way, so nobody can know.
  assert.deepEqual(found, [0, 2]);
});

Deno.test("while a task of a chain has no answer, those behind it are refused in time, and afterwards the chain goes on", async () => {
  await using db = await opened();
  const chains = new Chains(db.deadline);
  const random = seededRandom(1);
  const count = typed<number>(["count"]);
  const increment = () =>
    chains.run(["count"], () =>
      cas(db.kv, { count }, ({ count: { value } }) => ({
        value: (value ?? 0) + 1,
        write: (tx) => tx.set(["count"], (value ?? 0) + 1),
      }), { clock: db.clock, random }));
  assert.equal(await increment(), 1);
  db.hold();
  const hanging = assert.rejects(increment(), NoAnswer);
  const waiting = Array.from({ length: 50 }, () => assert.rejects(increment(), NotBegun));
  await turn();
  await db.clock.advance(MS);
  await hanging;
  await Promise.all(waiting);
  await db.release();
  assert.equal(await increment(), 2);
});

Deno.test("a KV Connect server that accepts every call and never answers one holds nothing", async () => {
  const database = {
    version: 3,
    databaseId: crypto.randomUUID(),
    token: "t",
    expiresAt: "2100-01-01T00:00:00Z",
  };
  const endpoints = [{ url: "/calls", consistency: "strong" }];
  const held: PromiseWithResolvers<Response>[] = [];
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    if (new URL(url).pathname === "/") return Response.json({ ...database, endpoints });
    held.push(Promise.withResolvers());
    return held.at(-1)!.promise;
  });
  Deno.env.set("DENO_KV_ACCESS_TOKEN", "a-token-for-tests");
  const remote = await openDenoKv(`http://127.0.0.1:${server.addr.port}/`);
  const deadline = { ms: 100, clock: steadyClock };
  const kv = withGroupCommit(withDeadline(remote, deadline), { atOnce: 1, deadline });
  for (const call of Object.values(CALLS)) await assert.rejects(call(kv), NoAnswer);
  assert.equal(held.length, Object.keys(CALLS).length);
  // Deno waits for its calls when the test ends.
  for (const { resolve } of held) resolve(new Response("over", { status: 400 }));
  await turn();
  remote.close();
});

Deno.test("closing a database leaves no timer for the test runner to find, although a call hangs", async () => {
  await using temp = await tempKv();
  const hanging = wrap(temp.kv, { get: () => new Promise(() => {}), close: () => Promise.resolve() });
  const kv = withDeadline(hanging, { ms: 60_000, clock: steadyClock });
  void kv.get(row);
  await kv.close();
  void kv.get(row);
});
