import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PRIVATE_KEY = String.raw`AGE-SECRET-KEY-1[A-Z0-9]{20}|BEGIN [A-Z ]*PRIVATE KEY`;

Deno.test("the repository holds no private key", async () => {
  const { code, stdout } = await new Deno.Command("git", { args: ["grep", "-lE", PRIVATE_KEY], cwd: ROOT })
    .output();
  assert.deepEqual({ code, found: new TextDecoder().decode(stdout) }, { code: 1, found: "" });
});
