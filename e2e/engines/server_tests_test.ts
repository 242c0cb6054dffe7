/** The server's own tests of limits, jobs, signups, deliveries and backups, on a PostgreSQL server instead of in memory. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { postgresPrograms, type PostgresServer, startPostgres } from "../../dev/testing/postgres_server.ts";
import { suiteOf, testFiles } from "../../dev/tests/files.ts";
import { type JobResult, runJobs } from "../../dev/tests/jobs.ts";
import { fileJobs } from "../../dev/tests/suites.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");
const ROOMS = [
  "server/platform/limits",
  "server/platform/jobs",
  "server/signup/subscribe",
  "server/signup/delivery",
  "server/operations/backup",
];
const LINES_SHOWN = 60;
const programs = postgresPrograms();

let server: PostgresServer | undefined;
Deno.test.beforeAll(async () => {
  if (programs) server = await startPostgres(programs, { isDurable: false });
});
Deno.test.afterAll(async () => await server?.[Symbol.asyncDispose]());

for (const room of ROOMS) {
  const files = testFiles(ROOT, room).filter((path) => suiteOf(path) === "rooms");
  Deno.test(`the tests in ${room} pass on PostgreSQL`, { ignore: !programs }, async () => {
    const folder = await Deno.makeTempDir({ prefix: "cfbe-reports-" });
    const env = { CFBE_TEST_DATABASE: `postgres://cfbe@${server!.host}/postgres`, NO_COLOR: "1" };
    const results: JobResult[] = [];
    const jobs = fileJobs("rooms", files, { folder, env, preload: [], isStressed: false });
    await runJobs(jobs, 1, (result) => results.push(result));
    await Deno.remove(folder, { recursive: true });
    for (const { code, output } of results) {
      assert.equal(code, 0, output.trimEnd().split("\n").slice(-LINES_SHOWN).join("\n"));
      console.log(`    ${output.match(/\d+ passed/)?.[0]}`);
    }
  });
}
