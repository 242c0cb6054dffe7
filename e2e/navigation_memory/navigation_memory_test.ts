import assert from "node:assert/strict";
import { launchAlone } from "../browser.ts";
import { measureGrowth } from "./growth.ts";
import { startSite } from "./site.ts";

/** A form that stays in memory after each navigation would need many times as much. */
const HEAP_TOLERANCE_BYTES = 20_000;

Deno.test("50 navigations between views with forms leave no nodes, listeners or objects in a page's memory", async () => {
  await using stack = new AsyncDisposableStack();
  const site = stack.use(await startSite());
  // Of its own, because the counters are those of a process, which a page may share with others.
  const browser = await launchAlone();
  stack.defer(() => browser.close());
  const { nodes, listeners, heap } = await measureGrowth(browser, site.origin, 50);
  assert.deepEqual({ nodes, listeners }, { nodes: 0, listeners: 0 });
  assert.ok(heap < HEAP_TOLERANCE_BYTES, `the heap grew by ${heap} bytes`);
});
