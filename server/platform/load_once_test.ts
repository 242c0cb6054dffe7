import assert from "node:assert/strict";
import { loadOnce } from "./load_once.ts";

Deno.test("something is loaded once, even by calls at the same time", async () => {
  let loads = 0;
  const get = loadOnce(() => Promise.resolve({ number: ++loads }));
  const [first, second] = await Promise.all([get(), get()]);
  assert.equal(first, second);
  assert.equal(await get(), first);
});

Deno.test("after a failure, the next call loads again", async () => {
  let loads = 0;
  const get = loadOnce(() =>
    ++loads === 1 ? Promise.reject(new Error("no such file")) : Promise.resolve(loads)
  );
  const failed = await Promise.allSettled([get(), get()]);
  assert.deepEqual(failed.map(({ status }) => status), ["rejected", "rejected"]);
  assert.equal(await get(), 2);
});
