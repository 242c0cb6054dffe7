import assert from "node:assert/strict";
import { loadCfbe } from "./load.ts";

Deno.test("on a server, loadCfbe adds no globals and its promise stays pending", async () => {
  assert.equal("window" in globalThis, false);
  const before = Object.getOwnPropertyNames(globalThis);
  const promise = loadCfbe("https://news.example/cfbe.js");
  const first = await Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 20, "pending"))]);
  assert.equal(first, "pending");
  assert.deepEqual(Object.getOwnPropertyNames(globalThis), before);
});
