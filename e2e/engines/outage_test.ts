import assert from "node:assert/strict";
import { join } from "node:path";
import { postgresPrograms, startPostgres } from "../../dev/testing/postgres_server.ts";
import { issueToken } from "../../server/platform/keys/form_token.ts";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { keys } from "../../server/platform/kv/keys.ts";
import { openKv } from "../../server/platform/kv/open.ts";
import type { MailRow } from "../../server/sandbox/account/rows.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { runProgram, waitUntil } from "../program.ts";

const programs = postgresPrograms();
const SALT = "a salt for tests, long enough to be one";
const VISITORS = 200;
const CONFIG = `export default {
  settings: { privacy: { ipSource: "x-real-ip" } },
  filters: { cfbe_signup_site_limit: () => 0 },
};`;

for (const how of ["kill", "stop"] as const) {
  Deno.test(
    `a PostgreSQL server that ends and starts again while visitors sign up loses none who was accepted, and mails nobody twice: ${how}`,
    {
      ignore: !programs,
    },
    async () => {
      await using server = await startPostgres(programs!);
      const folder = await Deno.makeTempDir({ prefix: "cfbe-outage-" });
      await using _folder = { [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
      const config = join(folder, "cfbe.config.ts");
      await Deno.writeTextFile(config, CONFIG);
      const env = { CFBE_KV: server.address, CFBE_CONFIG: config, CFBE_SALT: SALT };
      await using first = await runProgram(env);
      await using second = await runProgram(env);
      const cfbe_token = issueToken(createKeyring([SALT]), Date.now() - 10_000);

      /** Signs up as the widget does: again after an error. Resolves to how often it got one. */
      async function signUp(n: number): Promise<number> {
        for (let errors = 0;; errors++) {
          assert.ok(errors < 10, `visitor ${n} is refused`);
          const response = await fetch((n % 2 ? first : second).baseUrl + NAMESPACE + "/subscribe", {
            method: "POST",
            headers: { "content-type": "application/json", "x-real-ip": `198.18.${n >> 8}.${n & 255}` },
            body: JSON.stringify({ source: "shortcode", email: `v${n}@example.com`, cfbe_token }),
          });
          await response.body?.cancel();
          if (response.status === 200) return errors;
          assert.equal(response.status, 503);
        }
      }

      const accepted: Promise<number>[] = [];
      const outage = Promise.withResolvers<void>();
      for (let n = 0; n < VISITORS; n++) {
        accepted.push(signUp(n));
        // Visitors come before, while and after the server ends.
        if (n === VISITORS / 4) {
          void server[how]().then(() => server.start()).then(outage.resolve, outage.reject);
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      const errors = await Promise.all(accepted);
      await outage.promise;
      console.log(`    ${errors.filter((count) => count > 0).length} visitors saw an error and tried again`);

      const { kv, close } = await openKv(server.address);
      const mails = () =>
        Array.fromAsync(kv.list<MailRow>({ prefix: keys.sandboxMails() }), ({ value }) => value.to);
      await waitUntil(
        "every visitor has an email",
        120_000,
        async () => new Set(await mails()).size === VISITORS,
      );
      assert.equal((await mails()).length, VISITORS);
      await close();
    },
  );
}
