import assert from "node:assert/strict";
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

Deno.test("on PostgreSQL, two processes admit exactly 5 of 60 signups at once from one IP", {
  ignore: !programs,
}, async () => {
  await using server = await startPostgres(programs!);
  const env = { CFBE_KV: server.address, CFBE_SALT: SALT };
  await using first = await runProgram(env);
  await using second = await runProgram(env);
  const cfbe_token = issueToken(createKeyring([SALT]), Date.now() - 10_000);
  const statuses = await Promise.all(Array.from({ length: 60 }, async (_, n) => {
    const response = await fetch((n % 2 ? first : second).baseUrl + NAMESPACE + "/subscribe", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ source: "shortcode", email: `v${n}@example.com`, cfbe_token }),
    });
    await response.body?.cancel();
    return response.status;
  }));
  assert.equal(statuses.filter((status) => status === 200).length, 5, statuses.join(" "));
  assert.equal(statuses.filter((status) => status === 429).length, 55, statuses.join(" "));
});
