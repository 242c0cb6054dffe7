import assert from "node:assert/strict";
import { ManualClock } from "../../dev/testing/manual_clock.ts";
import { postgresPrograms, type PostgresServer, startPostgres } from "../../dev/testing/postgres_server.ts";
import { kvConformance } from "../../server/platform/kv/conformance.ts";
import { EXPIRED_REST_MS, openPostgres } from "../../server/platform/kv/engines/postgres.ts";
import { openKv } from "../../server/platform/kv/open.ts";
import type { Kv } from "../../server/platform/kv/port.ts";
import { DatabaseUnusable } from "../../server/platform/kv/unusable.ts";
import { waitUntil } from "../program.ts";

const MINUTE_MS = 60_000;
const programs = postgresPrograms();
const MISSING = "PostgreSQL is not installed: apt-get install postgresql";
if (!programs) console.error(MISSING);

/** Registers a test with a server of its own. */
function onServer(what: string, test: (server: PostgresServer) => Promise<void>): void {
  Deno.test(what, { ignore: !programs, sanitizeOps: false, sanitizeResources: false }, async () => {
    await using server = await startPostgres(programs!);
    await test(server);
  });
}

/** Two processes, as far as the database can tell: each has its own pool, groups and caches. */
async function twoPools({ address }: { address: string }) {
  const [a, b] = await Promise.all([openKv(address), openKv(address)]);
  return { a, b, close: () => Promise.all([a.close(), b.close()]) };
}

const insert = (kv: Kv, id: number) =>
  kv.atomic().check({ key: ["row", id], versionstamp: null }).set(["row", id], id).commit();

if (programs) {
  const server = await startPostgres(programs);
  kvConformance({
    name: "PostgreSQL server",
    async open() {
      const opened = await openKv(server.address);
      return { ...opened, [Symbol.asyncDispose]: () => opened.close() };
    },
  });
  Deno.test.afterAll(async () => await server[Symbol.asyncDispose]());
}

onServer("processes that start at once on an empty database all can use it, ten times", async (server) => {
  for (let round = 0; round < 10; round++) {
    const [a, ...others] = await Promise.all(Array.from({ length: 4 }, () => openKv(server.address)));
    assert.ok((await insert(a!.kv, 1)).ok);
    for (const { kv } of others) assert.equal((await kv.get(["row", 1])).value, 1);
    await Promise.all([a!, ...others].map((one) => one.close()));
    await server.sql("DROP TABLE cfbe_rows; DROP SEQUENCE cfbe_version");
  }
});

onServer(
  "a database in which only the table was created is completed by the next process",
  async (server) => {
    await server.sql(
      "CREATE TABLE cfbe_rows " +
        "(key bytea PRIMARY KEY, value bytea NOT NULL, version bigint NOT NULL, expires timestamptz)",
    );
    const opened = await openKv(server.address);
    assert.ok((await insert(opened.kv, 1)).ok);
    await opened.close();
  },
);

onServer("what is called after a database was closed rejects, and opens no connection", async (server) => {
  const { kv, close } = await openKv(server.address);
  await close();
  for (const call of [() => kv.get(["row", 1]), () => insert(kv, 1), () => kv.now!()]) {
    await assert.rejects(call);
  }
  assert.equal(await server.sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'cfbe'"), "");
});

onServer("of the commits of two processes to the same keys, exactly one each succeeds", async (server) => {
  const { a, b, close } = await twoPools(server);
  const results = await Promise.all(
    Array.from({ length: 400 }, (_, n) => insert((n % 2 ? a : b).kv, n % 40)),
  );
  assert.equal(results.filter(({ ok }) => ok).length, 40);
  await close();
});

onServer(
  "commits of overlapping keys in opposite orders end, and none is lost or made twice",
  async (server) => {
    const { a, b, close } = await twoPools(server);
    const keys = Array.from({ length: 6 }, (_, n) => ["count", n]);
    async function add({ kv }: typeof a, from: number) {
      for (let made = 0; made < 30;) {
        const rows = await kv.getMany<number[]>([keys[from % 6]!, keys[(from + 3) % 6]!]);
        const tx = kv.atomic().check(...rows);
        for (const { key, value } of rows.toReversed()) tx.set(key, (value ?? 0) + 1);
        if ((await tx.commit()).ok) made++;
      }
    }
    await Promise.all(keys.flatMap((_, n) => [add(a, n), add(b, n)]));
    const counts = await a.kv.getMany<number[]>(keys);
    assert.deepEqual(counts.map(({ value }) => value), keys.map(() => 120));
    await close();
  },
);

onServer("a row that has expired is not there for reads, lists and checks", async (server) => {
  const { kv, close } = await openKv(server.address);
  await kv.set(["brief"], 1, { expireIn: 1 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal((await kv.get(["brief"])).value, null);
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: [] })), []);
  assert.ok((await kv.atomic().check({ key: ["brief"], versionstamp: null }).set(["brief"], 2).commit()).ok);
  assert.equal((await kv.get(["brief"])).value, 2);
  await close();
});

onServer(
  "all rows that have expired are deleted once a minute, in batches that end when the database is closed",
  async (server) => {
    const clock = new ManualClock();
    const kv = await openPostgres(server.address, { clock, triesMs: 9_000, id: "test", announced: [] });
    const rows = async () => Number(await server.sql("SELECT count(*) FROM cfbe_rows"));
    const expire = (count: number) =>
      server.sql(
        "INSERT INTO cfbe_rows SELECT decode(lpad(to_hex(n), 8, '0'), 'hex'), '', n, now() - interval '1 second' " +
          `FROM generate_series(1, ${count}) AS n`,
      );
    /** Resolves when a batch was deleted, and the next one begins after so long. */
    const deleted = (restMs: number) =>
      waitUntil("a batch is deleted", 30_000, () => clock.wakesIn === restMs);
    await expire(2_500);
    await clock.advance(MINUTE_MS);
    for (const left of [1_500, 500]) {
      await deleted(EXPIRED_REST_MS);
      assert.equal(await rows(), left);
      await clock.advance(EXPIRED_REST_MS);
    }
    await deleted(MINUTE_MS);
    assert.equal(await rows(), 0);

    await expire(1_500);
    await clock.advance(MINUTE_MS);
    await deleted(EXPIRED_REST_MS);
    await kv.close();
    await clock.advance(MINUTE_MS);
    assert.equal(await rows(), 500);
  },
);

/** What ends a server under load, and makes one answer again. */
const OUTAGES: Record<
  string,
  (server: PostgresServer, standby: PostgresServer | undefined) => Promise<void>
> = {
  "it is killed and starts again": (server) => server.kill().then(server.start),
  "it is stopped and starts again": (server) => server.stop().then(server.start),
  "it is killed and its standby is promoted": (server, standby) =>
    server.kill().then(() => standby!.promote()),
};

for (const [what, outage] of Object.entries(OUTAGES)) {
  onServer(`no answered commit is lost if the server ends under load: ${what}`, async (server) => {
    await using standby = what.includes("standby") ? await server.standby() : undefined;
    const address = standby
      ? `postgres://cfbe@${server.host},${standby.host}/postgres?target_session_attrs=read-write`
      : server.address;
    const { a, b, close } = await twoPools({ address });
    const answered = new Set<number>();
    const begun = Promise.withResolvers<void>();
    let running = true;
    let id = 0;
    async function load({ kv }: typeof a) {
      while (running) {
        const own = id++;
        try {
          if ((await insert(kv, own)).ok) answered.add(own);
          if (answered.size === 300) begun.resolve();
        } catch (error) {
          // A commit under way may have happened, and its caller learns that.
          assert.match(String(error), /connection to the database was lost/);
        }
      }
    }
    const loads = Promise.all([...Array(4).keys()].flatMap(() => [load(a), load(b)]));
    await begun.promise;
    await outage(server, standby);
    for (let more = 0; more < 100; more++) {
      const own = id++;
      await insert(a.kv, own);
      answered.add(own);
    }
    running = false;
    await loads;
    const rows = new Set(
      (await Array.fromAsync(a.kv.list<number>({ prefix: ["row"] }))).map(({ value }) => value),
    );
    assert.deepEqual([...answered].filter((own) => !rows.has(own)), []);
    await close();
  });
}

const WRONG: Record<string, [(address: string) => string, RegExp]> = {
  "the name of a database that does not exist": [
    (address) => address.replace(/postgres$/, "nothing"),
    /no database of this name \(3D000\)\. Create it/,
  ],
  "a user that does not exist": [(address) => address.replace("cfbe@", "nobody:geheim@"), /refused the user/],
  "a folder without a server": [(address) => address.replace("cfbe-pg", "no-pg"), /can't be reached/],
};

onServer(
  "an address that can't be used says why and what to do, without the password",
  async ({ address }) => {
    for (const [what, [wrong, message]] of Object.entries(WRONG)) {
      await assert.rejects(openKv(wrong(address)), (error) => {
        assert.ok(error instanceof DatabaseUnusable, what);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /geheim/);
        return true;
      });
    }
  },
);
