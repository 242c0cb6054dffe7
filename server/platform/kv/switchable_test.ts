import assert from "node:assert/strict";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { EMBEDDED_LIMITS, withLimits } from "./limits.ts";
import { createSwitchable } from "./switchable.ts";

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
