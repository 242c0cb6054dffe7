/** The server's own tests of limits, jobs, signups, deliveries and backups, on a PostgreSQL server instead of in memory. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { postgresPrograms, type PostgresServer, startPostgres } from "../../dev/testing/postgres_server.ts";
import { groupsOf, suiteOf, testFiles } from "../../dev/tests/files.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");
const ROOMS = [
  "server/platform/limits",
  "server/platform/jobs",
  "server/signup/subscribe",
  "server/signup/delivery",
  "server/operations/backup",
];
const IN_ONE_PROCESS = 30;
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
    for (const group of groupsOf(files, IN_ONE_PROCESS)) {
      const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["test", "-A", "--no-check", "--node-modules-dir=manual", "--quiet", "dev/tests/group.ts"],
        cwd: ROOT,
        env: {
          CFBE_TEST_FILES: group.join(" "),
          CFBE_TEST_DATABASE: `postgres://cfbe@${server!.host}/postgres`,
          NO_COLOR: "1",
        },
        stdout: "piped",
        stderr: "piped",
      }).output();
      const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
      assert.ok(success, text.trimEnd().split("\n").slice(-LINES_SHOWN).join("\n"));
      console.log(`    ${text.match(/\d+ passed/)?.[0]}`);
    }
  });
}
