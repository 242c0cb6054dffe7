import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { aroundCalls } from "./around_calls.ts";
import { EMBEDDED_LIMITS, withLimits } from "./limits.ts";
import type { Kv } from "./port.ts";
import { createSwitchable } from "./switchable.ts";
import { wrap } from "./wrap.ts";
import assert from "node:assert/strict";

/** A database that announces changes and has a time of its own. */
async function announcing(time: number) {
  const temp = await tempKv();
  const heards = new Set<() => void>();
  const announced: number[] = [];
  const changes: Kv["changes"] = {
    follow(heard, signal) {
      heards.add(heard);
      signal.addEventListener("abort", () => heards.delete(heard));
    },
    announce: () => Promise.resolve(void announced.push(time)),
    arrive: () => heards.size > 0 ? true : undefined,
  };
  return {
    kv: wrap(temp.kv, { changes, now: () => Promise.resolve(time) }),
    plain: temp.kv,
    heards,
    announced,
    change: () => heards.forEach((heard) => heard()),
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

Deno.test("who follows changes follows those of the new database once it is replaced, and none of the earlier one", async () => {
  await using first = await announcing(1);
  await using second = await announcing(2);
  const { kv, replace } = createSwitchable(first.kv);
  const ended = new AbortController();
  let heard = 0;
  kv.changes!.follow(() => heard++, ended.signal);
  first.change();
  replace(second.kv);
  assert.equal(first.heards.size, 0);
  second.change();
  assert.equal(heard, 2);
  await kv.changes!.announce();
  assert.deepEqual([first.announced, second.announced], [[], [2]]);
  assert.equal(kv.changes!.arrive(), true);
  ended.abort("ended");
  assert.equal(second.heards.size, 0);
});

Deno.test("a database that announces nothing can be replaced by one that does, and the other way round", async () => {
  await using announces = await announcing(1);
  await using silent = await announcing(2);
  const { kv, replace } = createSwitchable(silent.plain);
  let heard = 0;
  kv.changes!.follow(() => heard++, new AbortController().signal);
  assert.equal(kv.changes!.arrive(), undefined);
  await kv.changes!.announce();
  replace(announces.kv);
  announces.change();
  assert.equal(heard, 1);
  replace(silent.plain);
  assert.equal(announces.heards.size, 0);
});

Deno.test("the time is that of the database in use, also behind other layers", async () => {
  await using first = await announcing(1);
  await using second = await announcing(2);
  const { kv, replace } = createSwitchable(first.kv);
  const layered = aroundCalls(kv, (call) => call);
  assert.equal(await layered.now!(), 1);
  replace(second.kv);
  assert.equal(await layered.now!(), 2);
  replace(second.plain);
  assert.equal(layered.now, undefined);
});

Deno.test("a list that has begun goes on in the next database, and reads nothing more from the earlier one", async () => {
  for (const reverse of [false, true]) {
    await using earlier = await tempKv();
    await using next = await tempKv();
    for (const { kv } of [earlier, next]) for (const n of [1, 2, 3]) await kv.set(["row", n], n);
    const { kv, replace } = createSwitchable(earlier.kv);
    const values: unknown[] = [];
    for await (const { value } of kv.list({ prefix: ["row"] }, { batchSize: 1, reverse })) {
      values.push(value);
      if (values.length > 1) continue;
      replace(next.kv);
      for (const n of [1, 2, 3]) await earlier.kv.delete(["row", n]);
    }
    assert.deepEqual(reverse ? values.toReversed() : values, [1, 2, 3]);
  }
});

Deno.test("a commit that depends on rows of the earlier database fails in the next one, even if the versions are equal", async () => {
  await using temp = await tempKv();
  await temp.kv.set(["row"], "before");
  const { kv, replace } = createSwitchable(temp.kv);
  const [read, absent] = await kv.getMany([["row"], ["absent"]]);
  const [listed] = await Array.fromAsync(kv.list({ prefix: [] }));
  // The same one stands for another with equal versions.
  const next = withLimits(temp.kv, EMBEDDED_LIMITS);
  replace(next);
  for (const entry of [read, listed!]) {
    assert.equal((await kv.atomic().check(entry).set(["row"], "from old").commit()).ok, false);
  }
  assert.ok((await kv.atomic().check(absent).set(["other"], 1).commit()).ok, "what was absent is absent");

  const again = await kv.get(["row"]);
  assert.ok(again.versionstamp! > read.versionstamp!);
  const [listedAgain] = await Array.fromAsync(kv.list({ start: ["row"], end: ["rox"] }));
  assert.deepEqual(listedAgain, again);
  assert.ok((await kv.atomic().check(again).set(["row"], "after").commit()).ok);
  assert.equal((await temp.kv.get(["row"])).value, "after");
  assert.equal(kv.engine, next.engine);
});
