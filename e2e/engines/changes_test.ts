import assert from "node:assert/strict";
import { postgresPrograms, type PostgresServer, startPostgres } from "../../dev/testing/postgres_server.ts";
import { eventually } from "../../dev/testing/eventually.ts";
import { keys } from "../../server/platform/kv/keys.ts";
import { openKv } from "../../server/platform/kv/open.ts";
import type { ShownSettings } from "../../server/operations/remote/settings.ts";
import { startRemoteKv } from "../deploy/remote_kv.ts";
import { denokv } from "../deploy/tools.ts";
import { findCommand } from "../process.ts";
import { type RunningProgram, waitUntil } from "../program.ts";
import { runTwoProcesses } from "../two_processes.ts";
import { startPgBouncer } from "./pgbouncer.ts";

const programs = postgresPrograms();

/** Without an announcement, a process reads again after ten seconds at the earliest, so it could not follow in time. */
const CHANGES = 5;
const ALL_WITHIN_MS = 10_000;
/** In the server's log. With another word, a process only tries its own connection. */
const ANNOUNCED = /NOTIFY cfbe, '[^ ']+'/;

const post = (body: unknown) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const act = (program: RunningProgram, action: string, input: object) =>
  program.json(`/admin/ajax?action=${action}`, post({ ...input, action }));
const ipDays = async (program: RunningProgram) =>
  (await program.json<ShownSettings>("/ops/settings", post({}))).settings.privacy.ipRetentionDays;
const isActive = async ({ baseUrl }: RunningProgram) =>
  (await (await fetch(`${baseUrl}/readyz`)).json()).active as boolean;

/** Ends the connections that listen, as a firewall or a restart does. */
const endListening = ({ sql }: PostgresServer) =>
  sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");

/** A server that two processes share, and what cuts the connections on which they hear of changes. */
interface Shared extends AsyncDisposable {
  env: Record<string, string>;
  cut?: () => Promise<unknown>;
}

const SERVERS: { name: string; ignore: boolean; start(): Promise<Shared> }[] = [
  {
    name: "PostgreSQL",
    ignore: !programs,
    async start() {
      const server = await startPostgres(programs!);
      return {
        env: { CFBE_KV: server.address },
        cut: () => endListening(server),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  },
  {
    name: "denokv",
    ignore: !await Deno.stat(denokv).then(() => true, () => false),
    async start() {
      const server = await startRemoteKv();
      const { DENO_KV_DEFAULT_PATH: CFBE_KV, DENO_KV_ACCESS_TOKEN } = server.env;
      return {
        env: { CFBE_KV, DENO_KV_ACCESS_TOKEN },
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  },
];

for (const { name, ignore, start } of SERVERS) {
  Deno.test(`on ${name}, what changes in one process is in the answers of the other within two seconds`, {
    ignore,
  }, async () => {
    await using server = await start();
    await using processes = await runTwoProcesses(server.env);
    const { first, second } = processes;
    const begun = performance.now();
    for (let days = 1; days <= CHANGES; days++) {
      // Once after the connections were lost, too.
      if (days === CHANGES) await server.cut?.();
      await act(first, "cfbe_save_privacy", { fields: { ipRetentionDays: days } });
      await waitUntil("the other process has the setting", 60_000, async () => await ipDays(second) === days);
    }
    await act(second, "cfbe_deactivate", {});
    await waitUntil("the other process is deactivated", 60_000, async () => !await isActive(first));
    const ms = Math.round(performance.now() - begun);
    console.log(`    ${CHANGES + 1} changes were followed within ${ms} ms`);
    assert.ok(ms < ALL_WITHIN_MS, `${ms} ms`);
  });
}

Deno.test("on PostgreSQL, signups are not announced", { ignore: !programs }, async () => {
  await using server = await startPostgres(programs!);
  await using processes = await runTwoProcesses({ CFBE_KV: server.address });
  await server.sql("ALTER SYSTEM SET log_statement = 'all'");
  await server.sql("SELECT pg_reload_conf()");
  for (let n = 0; n < 3; n++) {
    const response = await processes.signUp(n, { email: `v${n}@example.com`, ip: `198.18.0.${n}` });
    assert.equal(response.status, 200, await response.text());
  }
  const { kv, close } = await openKv(server.address);
  await waitUntil(
    "all have an email",
    60_000,
    async () => (await Array.fromAsync(kv.list({ prefix: keys.sandboxMails() }))).length === 3,
  );
  await close();
  assert.match(await server.log(), /COMMIT/);
  assert.doesNotMatch(await server.log(), ANNOUNCED);
  await act(processes.first, "cfbe_save_privacy", { fields: { ipRetentionDays: 1 } });
  assert.match(await server.log(), ANNOUNCED);
});

Deno.test("behind PgBouncer in its mode transaction, it is known that changes are not announced", {
  ignore: !programs || !await findCommand("pgbouncer").catch(() => undefined),
}, async () => {
  await using server = await startPostgres(programs!);
  const arrive = async (address: string) => {
    const { kv, close } = await openKv(address);
    const ended = new AbortController();
    kv.changes!.follow(() => {}, ended.signal);
    await eventually("a trial has ended", () => kv.changes!.arrive() !== undefined);
    const arrives = kv.changes!.arrive();
    // Commits and reads work all the same.
    await kv.set(keys.activation(), { v: 1 });
    assert.deepEqual((await kv.get(keys.activation())).value, { v: 1 });
    ended.abort("ended");
    await close();
    return arrives;
  };
  for (const [mode, arrives] of [["session", true], ["transaction", false]] as const) {
    await using pooler = await startPgBouncer(server, mode);
    assert.equal(await arrive(pooler.address), arrives, mode);
  }
});
