import assert from "node:assert/strict";
import { groupsOf, shard, suiteOf, testFiles } from "./files.ts";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

Deno.test("the quick command runs no file that drives a browser or measures time, except the journeys", () => {
  assert.equal(suiteOf("server/platform/limits/spend_test.ts"), "rooms");
  assert.equal(suiteOf("widget/src/form/form_browser_test.ts"), "browser");
  assert.equal(suiteOf("e2e/signup_test.ts"), "browser");
  assert.equal(suiteOf("e2e/journeys/forms_test.ts"), "journeys");
  assert.equal(suiteOf("server/program/main_slow_test.ts"), "slow");
  assert.equal(suiteOf("server/program/main_drain_alone_test.ts"), "alone");
  assert.equal(suiteOf("e2e/crash/drain_alone_test.ts"), "alone");
  assert.equal(suiteOf("e2e/engines/move_test.ts"), "engines");
  assert.equal(suiteOf("e2e/wordpress/block_host.ts"), "wordpress");
});

Deno.test("every test file is in one group of one shard", () => {
  const files = testFiles(ROOT);
  assert.ok(files.length > 500);
  const shards = [1, 2, 3].flatMap((index) => groupsOf(shard(files, { index, of: 3 }), 20));
  assert.deepEqual(shards.flat().sort(), files);
  assert.ok(shards.every((group) => group.length <= 20));
});

Deno.test("files of one folder run in one process", () => {
  const files = ["a/x/1", "a/x/2", "a/x/3", "b/y/1"];
  assert.deepEqual(groupsOf(files, 4), [["a/x/1", "a/x/2", "a/x/3"], ["b/y/1"]]);
});
