import assert from "node:assert/strict";
import { createHashQueue, HashingBusy, type Lane } from "./hash_queue.ts";

/** Returns a queue whose work ends when the test calls `end`. */
function controlledQueue() {
  const queue = createHashQueue({ known: 2, stranger: 3 });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (lane: Lane, name: string) => {
    const end = Promise.withResolvers<void>();
    ends.set(name, end.resolve);
    return queue.run(lane, async () => {
      started.push(name);
      await end.promise;
      return name;
    });
  };
  const settled = async () => {
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };
  const end = async (name: string) => {
    ends.get(name)!();
    await settled();
  };
  return { add, end, settled, started };
}

Deno.test("strangers' hashes run one at a time, and only a limited number may wait", async () => {
  const { add, end, settled, started } = controlledQueue();
  const taken = ["a", "b", "c", "d"].map((name) => add("stranger", name));
  await assert.rejects(() => add("stranger", "e"), HashingBusy);
  await settled();
  assert.deepEqual(started, ["a"]);
  await end("a");
  assert.deepEqual(started, ["a", "b"]);
  taken.push(add("stranger", "f"));
  for (const name of ["b", "c", "d", "f"]) await end(name);
  assert.deepEqual(await Promise.all(taken), ["a", "b", "c", "d", "f"]);
});

Deno.test("a known browser never waits for strangers", async () => {
  const { add, end, settled, started } = controlledQueue();
  const taken = ["a", "b", "c", "d"].map((name) => add("stranger", name));
  const owner = add("known", "owner");
  await settled();
  assert.deepEqual(started, ["a", "owner"]);
  await end("owner");
  assert.equal(await owner, "owner");
  for (const name of ["a", "b", "c", "d"]) await end(name);
  await Promise.all(taken);
});

Deno.test("after a hash fails, the next one runs", async () => {
  const queue = createHashQueue({ known: 1, stranger: 1 });
  const failed = queue.run("stranger", () => Promise.reject(new Error("out of memory")));
  const next = queue.run("stranger", () => Promise.resolve("next"));
  await assert.rejects(failed, /out of memory/);
  assert.equal(await next, "next");
  assert.equal(await queue.run("stranger", () => Promise.resolve("free again")), "free again");
});
