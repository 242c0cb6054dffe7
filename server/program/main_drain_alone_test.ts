import assert from "node:assert/strict";
import { freePort } from "../../dev/free_port.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { issueToken } from "../platform/keys/form_token.ts";
import { createKeyring } from "../platform/keys/keyring.ts";
import { openDenoKv } from "../platform/kv/engines/deno_kv.ts";
import { keys } from "../platform/kv/keys.ts";

/** Tests how the real process ends: it completes open requests and loses no accepted signup. */

const SALT = "a salt for tests, long enough to be one";
const FLOOR_MS = 700;

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`${signal}, sent twice: an open request is completed, its signup is kept, and the process exits with one line in the log`, async () => {
    const folder = await Deno.makeTempDir({ prefix: "cfbe-drain-" });
    const port = freePort();
    const kv = `${folder}/cfbe.kv`;
    const process = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--frozen", new URL("../main.ts", import.meta.url).pathname],
      env: { PORT: String(port), CFBE_KV: kv, CFBE_SALT: SALT, CFBE_ANSWER_FLOOR_MS: String(FLOOR_MS) },
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const log = new Response(process.stderr).text();
    try {
      // Printed when it listens.
      const reader = process.stdout.getReader();
      assert.ok((await reader.read()).value);
      const cfbe_token = issueToken(createKeyring([SALT]), Date.now() - 10_000);
      const pending = fetch(`http://127.0.0.1:${port}${NAMESPACE}/subscribe`, {
        method: "POST",
        body: JSON.stringify({ source: "popup", email: "ada@example.com", cfbe_token }),
      });
      await new Promise((resolve) => setTimeout(resolve, FLOOR_MS / 2));
      const signalledAt = performance.now();
      process.kill(signal);
      process.kill(signal);
      const response = await pending;
      assert.deepEqual([response.status, (await response.json()).code], [200, "pending"]);
      const { code } = await process.status;
      assert.equal(code, 0);
      assert.equal((await log).match(/"event":"server\.stopped"/g)?.length, 1);
      assert.ok(performance.now() - signalledAt < 4_500);
      await reader.cancel();
      using database = await openDenoKv(kv);
      const kept = await Array.fromAsync(database.list({ prefix: keys.signupsOf("ada@example.com") }));
      assert.equal(kept.length, 1);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
