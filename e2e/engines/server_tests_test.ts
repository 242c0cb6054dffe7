/** The server's own tests of limits, jobs, signups, deliveries and backups, on a PostgreSQL server instead of in memory. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { postgresPrograms, startPostgres } from "../../dev/testing/postgres_server.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TESTS = [
  "server/platform/limits",
  "server/platform/jobs",
  "server/signup/subscribe",
  "server/signup/delivery",
  "server/operations/backup",
];
const LINES_SHOWN = 60;
const programs = postgresPrograms();

Deno.test(
  "the server's tests of limits, jobs, signups, deliveries and backups pass on PostgreSQL",
  { ignore: !programs },
  async () => {
    await using server = await startPostgres(programs!);
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--no-check", "--node-modules-dir=manual", "--quiet", ...TESTS],
      cwd: ROOT,
      env: { CFBE_TEST_DATABASE: `postgres://cfbe@${server.host}/postgres`, NO_COLOR: "1" },
      stdout: "piped",
      stderr: "piped",
    }).output();
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assert.ok(success, text.trimEnd().split("\n").slice(-LINES_SHOWN).join("\n"));
    console.log(`    ${text.match(/\d+ passed/)?.[0]}`);
  },
);
