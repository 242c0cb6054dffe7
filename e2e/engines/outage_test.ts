import assert from "node:assert/strict";
import { postgresPrograms, startPostgres } from "../../dev/testing/postgres_server.ts";
import { keys } from "../../server/platform/kv/keys.ts";
import { openKv } from "../../server/platform/kv/open.ts";
import type { MailRow } from "../../server/sandbox/account/rows.ts";
import { waitUntil } from "../program.ts";
import { NO_SITE_LIMIT, runTwoProcesses, visitor } from "../two_processes.ts";

const programs = postgresPrograms();
const VISITORS = 200;
for (const how of ["kill", "stop"] as const) {
  Deno.test(
    `a PostgreSQL server that ends and starts again while visitors sign up loses none who was accepted, and mails nobody twice: ${how}`,
    {
      ignore: !programs,
    },
    async () => {
      await using server = await startPostgres(programs!);
      await using processes = await runTwoProcesses({ CFBE_KV: server.address }, NO_SITE_LIMIT);

      /** Signs up as the widget does: again after an error. Resolves to how often it got one. */
      async function signUp(n: number): Promise<number> {
        for (let errors = 0;; errors++) {
          assert.ok(errors < 10, `visitor ${n} is refused`);
          const response = await processes.signUp(n, visitor(n));
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
