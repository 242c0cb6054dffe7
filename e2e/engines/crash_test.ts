import { postgresPrograms, startPostgres } from "../../dev/testing/postgres_server.ts";
import { runCrashTest } from "../crash/run.ts";

const ROUNDS = 20;
const programs = postgresPrograms();

Deno.test(
  `killed ${ROUNDS} times on PostgreSQL: every answered signup reaches the provider once, gets one email, and is counted once`,
  { ignore: !programs },
  async () => {
    await using postgres = await startPostgres(programs!);
    const seed = Date.now() % 1_000_000;
    await runCrashTest({ provider: "bluefox", rounds: ROUNDS, seed, database: postgres.address });
  },
);
