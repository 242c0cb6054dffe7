import assert from "node:assert/strict";
import { postgresPrograms, startPostgres } from "../../dev/testing/postgres_server.ts";
import { signUpInBurst, VISITORS } from "../burst.ts";
import { runTwoProcesses } from "../two_processes.ts";

const programs = postgresPrograms();

Deno.test(
  `on PostgreSQL, ${VISITORS} visitors who sign up at once on two processes are all accepted, and each gets one email`,
  {
    ignore: !programs,
  },
  async () => {
    await using server = await startPostgres(programs!);
    await signUpInBurst(server.address);
  },
);

/** How many of some signups at once are accepted by two processes. */
const LIMITS: Record<
  string,
  { signup: (n: number) => { email: string; ip: string }; count: number; accepted: number }
> = {
  "60 signups at once from one IP": {
    signup: (n) => ({ email: `v${n}@example.com`, ip: "198.18.0.1" }),
    count: 60,
    accepted: 5,
  },
  "30 signups at once for one mailbox": {
    signup: (n) => ({ email: `ann+${n}@example.com`, ip: `198.18.1.${n}` }),
    count: 30,
    accepted: 3,
  },
};

for (const [what, { signup, count, accepted }] of Object.entries(LIMITS)) {
  Deno.test(
    `on PostgreSQL, two processes admit exactly ${accepted} of ${what}`,
    { ignore: !programs },
    async () => {
      await using server = await startPostgres(programs!);
      await using processes = await runTwoProcesses({ CFBE_KV: server.address });
      const statuses = await Promise.all(Array.from({ length: count }, async (_, n) => {
        const response = await processes.signUp(n, signup(n));
        await response.body?.cancel();
        return response.status;
      }));
      assert.equal(statuses.filter((status) => status === 200).length, accepted, statuses.join(" "));
      assert.equal(statuses.filter((status) => status === 429).length, count - accepted, statuses.join(" "));
    },
  );
}
