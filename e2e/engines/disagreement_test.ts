import assert from "node:assert/strict";
import { postgresPrograms, startPostgres } from "../../dev/testing/postgres_server.ts";
import type { Diagnosis } from "../../server/operations/doctor/doctor.ts";
import { runProgram, waitUntil } from "../program.ts";

const programs = postgresPrograms();
const SALT = "a salt for tests, long enough to be one";

Deno.test("on PostgreSQL, a process with another salt does not start, and says which variable to set", {
  ignore: !programs,
}, async () => {
  await using server = await startPostgres(programs!);
  await using _first = await runProgram({ CFBE_KV: server.address, CFBE_SALT: SALT });
  await assert.rejects(
    runProgram({ CFBE_KV: server.address, CFBE_SALT: `another ${SALT}` }),
    /The salt that this database was created with is not set\. Set CFBE_SALT to it/,
  );
});

Deno.test(
  "on PostgreSQL, a process with another API token is named at its start and by the doctor, until it ends",
  {
    ignore: !programs,
  },
  async () => {
    await using server = await startPostgres(programs!);
    const shared = { CFBE_KV: server.address, CFBE_SALT: SALT };
    await using first = await runProgram(shared);
    const findings = async () => {
      const { findings } = await first.json<Diagnosis>("/ops/doctor", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      return findings.filter(({ id }) => id.startsWith("processes."));
    };
    assert.deepEqual(await findings(), []);
    {
      await using second = await runProgram({
        ...shared,
        CFBE_API_TOKEN: "another-token-for-end-to-end-tests",
      });
      await waitUntil("it warns", 60_000, () => second.log().includes("processes.token"));
      assert.doesNotMatch(second.log(), /processes\.(salt|clock)/);
      assert.deepEqual((await findings()).map(({ id }) => id), ["processes.token"]);
      console.log(`    ${(await findings())[0]!.what}`);
    }
    assert.deepEqual(await findings(), []);
  },
);
