import assert from "node:assert/strict";
import { postgresPrograms, type PostgresServer, startPostgres } from "../../dev/testing/postgres_server.ts";
import { steadyClock } from "../../server/platform/deps.ts";
import { openPostgres } from "../../server/platform/kv/engines/postgres.ts";
import type { Kv } from "../../server/platform/kv/port.ts";

const programs = postgresPrograms();
const TRIES_MS = 3_000;
/** Longer than the time after which a silent connection is replaced, and shorter than all tries. */
const LOCKED_S = 1.7;
const CALLS = 40;

/** Stands between cfbe and a server. */
function startProxy(server: string) {
  const [hostname, port] = server.split(":") as [string, string];
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const pairs = new Set<{ client: Deno.TcpConn; server: Deno.TcpConn; isSilent: boolean }>();
  const close = (connection: Deno.TcpConn) => {
    try {
      connection.close();
    } catch {
      // It was closed by its other side.
    }
  };
  async function forward(pair: { isSilent: boolean }, from: Deno.TcpConn, to: Deno.TcpConn): Promise<void> {
    try {
      for await (const bytes of from.readable) {
        if (!pair.isSilent) { for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at)); }
      }
    } catch {
      // One of both is closed.
    }
    if (!pair.isSilent) [from, to].forEach(close);
  }
  void (async () => {
    for await (const client of listener) {
      const pair = {
        client,
        server: await Deno.connect({ hostname, port: Number(port) }),
        isSilent: false,
      };
      pairs.add(pair);
      void forward(pair, pair.client, pair.server);
      void forward(pair, pair.server, pair.client);
    }
  })();
  const closeSilent = () =>
    [...pairs].filter(({ isSilent }) => isSilent).forEach(({ client }) => close(client));
  return {
    address: `postgres://cfbe@127.0.0.1:${(listener.addr as Deno.NetAddr).port}/postgres`,
    /** Loses the server's side of all connections, and says nothing to the other side. Later ones are forwarded. */
    silence() {
      for (const pair of pairs) {
        pair.isSilent = true;
        close(pair.server);
      }
    },
    closeSilent,
    connections: () => pairs.size,
    [Symbol.dispose]() {
      listener.close();
      for (const { client, server } of pairs) [client, server].forEach(close);
    },
  };
}

const open = (address: string): Promise<Kv> =>
  openPostgres(address, { clock: steadyClock, triesMs: TRIES_MS, id: "test", announced: [] });

const row = (n: number) => ["row", n];
const value = (n: number) => Uint8Array.of(n);

/** Runs many calls at once, so that all connections are used. Rejects if one takes longer than all tries. */
async function callAll(kv: Kv): Promise<void> {
  const late = steadyClock.sleep(TRIES_MS + 2_000).then(() => assert.fail("a call has not ended"));
  const calls = Promise.all(Array.from({ length: CALLS }, async (_, n) => {
    await Promise.all([kv.set(row(n), value(n)), kv.get(row(n)), kv.now!()]);
  }));
  late.catch(() => {});
  await Promise.race([calls, late]);
}

function onServer(what: string, test: (server: PostgresServer) => Promise<void>): void {
  Deno.test(what, { ignore: !programs, sanitizeOps: false, sanitizeResources: false }, async () => {
    await using server = await startPostgres(programs!, { isDurable: false });
    await test(server);
  });
}

onServer(
  "connections to PostgreSQL that go silent are replaced, and no call on them fails or is made later",
  async (server) => {
    using proxy = startProxy(server.host);
    const kv = await open(proxy.address);
    await callAll(kv);
    const before = proxy.connections();
    proxy.silence();
    await callAll(kv);
    assert.ok(proxy.connections() <= 2 * before, `${proxy.connections()} connections`);

    const versions = () => server.sql("SELECT max(version), count(*) FROM cfbe_rows");
    const written = await versions();
    proxy.closeSilent();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(await versions(), written);
    await kv.close();
  },
);

for (const mode of ["EXCLUSIVE", "ACCESS EXCLUSIVE"]) {
  onServer(`calls wait for a lock of PostgreSQL, and none fails: ${mode}`, async (server) => {
    const kv = await open(server.address);
    await callAll(kv);
    const [held, connections] = [
      "pg_locks WHERE mode IN ('ExclusiveLock', 'AccessExclusiveLock') AND relation = 'cfbe_rows'::regclass",
      "pg_stat_activity WHERE application_name = 'cfbe'",
    ].map((from) => async () => Number(await server.sql(`SELECT count(*) FROM ${from}`)));
    const before = await connections!();
    const lock = server.sql(
      `BEGIN; LOCK TABLE cfbe_rows IN ${mode} MODE; SELECT pg_sleep(${LOCKED_S}); COMMIT`,
    );
    while (await held!() === 0);
    const commits = kv.set(row(1), value(1));
    const reads = Promise.all([kv.get(row(1)), kv.count!()]);
    await lock;
    await commits;
    await reads;
    if (mode === "EXCLUSIVE") assert.equal(await connections!(), before);
    await kv.close();
  });
}
