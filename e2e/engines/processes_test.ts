import assert from "node:assert/strict";
import { join } from "node:path";
import { postgresPrograms, startPostgres } from "../../dev/testing/postgres_server.ts";
import { issueToken } from "../../server/platform/keys/form_token.ts";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { signUpInBurst, VISITORS } from "../burst.ts";
import { runProgram } from "../program.ts";

const programs = postgresPrograms();
const SALT = "a salt for tests, long enough to be one";

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
      const folder = await Deno.makeTempDir({ prefix: "cfbe-limits-" });
      await using _folder = { [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
      const config = join(folder, "cfbe.config.ts");
      await Deno.writeTextFile(
        config,
        'export default { settings: { privacy: { ipSource: "x-real-ip" } } };',
      );
      const env = { CFBE_KV: server.address, CFBE_SALT: SALT, CFBE_CONFIG: config };
      await using first = await runProgram(env);
      await using second = await runProgram(env);
      const cfbe_token = issueToken(createKeyring([SALT]), Date.now() - 10_000);
      const statuses = await Promise.all(Array.from({ length: count }, async (_, n) => {
        const { email, ip } = signup(n);
        const response = await fetch((n % 2 ? first : second).baseUrl + NAMESPACE + "/subscribe", {
          method: "POST",
          headers: { "content-type": "application/json", "x-real-ip": ip },
          body: JSON.stringify({ source: "shortcode", email, cfbe_token }),
        });
        await response.body?.cancel();
        return response.status;
      }));
      assert.equal(statuses.filter((status) => status === 200).length, accepted, statuses.join(" "));
      assert.equal(statuses.filter((status) => status === 429).length, count - accepted, statuses.join(" "));
    },
  );
}
