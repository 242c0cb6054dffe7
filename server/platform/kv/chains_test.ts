import assert from "node:assert/strict";
import fc from "fast-check";
import { Chains } from "./chains.ts";

const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

Deno.test("tasks with the same name run one at a time, in the order of their calls", async () => {
  const chains = new Chains();
  const log: string[] = [];
  const task = (name: string) => async () => {
    log.push(`${name} begins`);
    await turn();
    log.push(`${name} ends`);
    return name;
  };
  const results = await Promise.all(["a", "b", "c"].map((name) => chains.run(["key"], task(name))));
  assert.deepEqual(results, ["a", "b", "c"]);
  assert.deepEqual(log, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

Deno.test("only the caller of a task gets its error", async () => {
  const chains = new Chains();
  const failed = chains.run(["key"], () => Promise.reject(new Error("mine")));
  const thrown = chains.run(["key"], () => {
    throw new Error("mine too");
  });
  const next = chains.run(["key"], () => Promise.resolve("fine"));
  await assert.rejects(failed, /mine/);
  await assert.rejects(thrown, /mine too/);
  assert.equal(await next, "fine");
});

Deno.test("a task without shared names does not wait", async () => {
  const chains = new Chains();
  let release = () => {};
  const held = chains.run(["a"], () => new Promise<void>((resolve) => release = resolve));
  assert.equal(await chains.run(["b"], () => Promise.resolve(1)), 1);
  release();
  await held;
});

Deno.test("a task that comes when the first has ended still waits for the second", async () => {
  const chains = new Chains();
  let release = () => {};
  const first = chains.run(["key"], turn);
  const second = chains.run(["key"], () => new Promise<void>((resolve) => release = resolve));
  await first;
  await turn();
  let ran = false;
  const third = chains.run(["key"], () => Promise.resolve(void (ran = true)));
  await turn();
  assert.equal(ran, false);
  release();
  await Promise.all([second, third]);
  assert.equal(ran, true);
});

Deno.test("tasks that share a name never overlap, all of them end, and no name is kept", async () => {
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.array(names, { maxLength: 20 }), async (tasks) => {
      const chains = new Chains();
      const busy = new Set<string>();
      const order = new Map<string, number[]>();
      await Promise.all(tasks.map((mine, number) =>
        chains.run(mine, async () => {
          for (const name of mine) {
            assert(!busy.has(name), `${name} ran twice at once`);
            busy.add(name);
            order.set(name, [...order.get(name) ?? [], number]);
          }
          await turn();
          for (const name of mine) busy.delete(name);
        })
      ));
      for (const numbers of order.values()) assert.deepEqual(numbers, numbers.toSorted((a, b) => a - b));
      await turn();
      assert.equal(chains.size, 0);
    }),
    { numRuns: 50 },
  );
});
