import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

Deno.test("a suite that does not exist is refused with the names of those that do, instead of running nothing", async () => {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", MAIN, "all", "--suite", "browsr"],
  }).output();
  assert.equal(code, 2);
  assert.match(new TextDecoder().decode(stderr), /The suites: .*\bbrowser\b/);
});
