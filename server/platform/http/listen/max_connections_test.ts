import assert from "node:assert/strict";
import { maxConnections } from "./max_connections.ts";

Deno.test("connections leave file descriptors for everything else, and use at most half of a small number", () => {
  assert.equal(maxConnections(4_000, undefined), 4_000);
  assert.equal(maxConnections(4_000, 1_000_000), 4_000);
  assert.equal(maxConnections(4_000, 4_096), 3_496);
  assert.equal(maxConnections(4_000, 1_024), 512);
  assert.equal(maxConnections(4_000, 64), 32);
});
