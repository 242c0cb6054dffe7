import assert from "node:assert/strict";
import { keys } from "../kv/keys.ts";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { fenceOf, LeaseLost } from "./handler.ts";
import type { JobRow } from "./row.ts";

Deno.test("a fence holds only for the token of the current lease, and only that holder can store progress", async () => {
  await using temp = await tempKv();
  const { queue, add, kv } = queueHarness(temp.kv);
  await add({ id: "a", payload: 1 });
  const waiting = await kv.get<JobRow>(keys.job("a"));
  const [claimed] = await queue.claim(1);
  const running = await kv.get<JobRow>(keys.job("a"));
  const mine = fenceOf("a", claimed!.token);
  assert.deepEqual(mine.key, keys.job("a"));
  assert.equal(mine.holds(running), true);
  mine.check(running);
  for (const entry of [waiting, { ...running, value: null, versionstamp: null }]) {
    assert.equal(mine.holds(entry), false);
    assert.throws(() => mine.check(entry), LeaseLost);
    assert.throws(() => mine.update(kv.atomic(), entry, { payload: 2 }), LeaseLost);
  }
  assert.equal(fenceOf("a", "another").holds(running), false);

  const tx = kv.atomic().check(running);
  mine.update(tx, running, { payload: 2 });
  assert.equal((await tx.commit()).ok, true);
  assert.equal((await queue.get("a"))?.payload, 2);
  assert.equal(await queue.renew(claimed!), true, "the lease is unchanged");
});

Deno.test("a fence ends the job in the handler's own commit, and only for the holder of the lease", async () => {
  await using temp = await tempKv();
  const { queue, add, kv, clock, index } = queueHarness(temp.kv);
  await add({ id: "a" });
  const [claimed] = await queue.claim(1);
  const mine = fenceOf("a", claimed!.token);
  const running = await kv.get<JobRow>(keys.job("a"));
  assert.throws(() => fenceOf("a", "another").finish(kv.atomic(), running, clock.now()), LeaseLost);
  const tx = kv.atomic().check(running).set(["test"], "written");
  assert.deepEqual(mine.finish(tx, running, clock.now()), { kind: "finished", again: false });
  assert.deepEqual([await index(), (await kv.get(["test"])).value], [["a running"], null]);
  await tx.commit();
  assert.deepEqual([await index(), (await kv.get(["test"])).value], [[], "written"]);
});
