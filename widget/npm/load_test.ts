import assert from "node:assert/strict";
import { loadCfbe } from "./load.ts";

Deno.test("on a server nothing is touched, nothing is loaded, and nobody gets an object that isn't there", async () => {
  assert.equal("window" in globalThis, false);
  const before = Object.getOwnPropertyNames(globalThis);
  const asked = loadCfbe("https://news.example/cfbe.js");
  const first = await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 20, "pending"))]);
  assert.equal(first, "pending");
  assert.deepEqual(Object.getOwnPropertyNames(globalThis), before);
});
