import assert from "node:assert/strict";
import type postgres from "postgres";
import { ManualClock } from "../../../../dev/testing/manual_clock.ts";
import { createPostgresChanges } from "./postgres_changes.ts";

/** A server that passes notifications on, with one process that follows them. */
function followed({ delivers = true, knowsListen = true } = {}) {
  const clock = new ManualClock();
  const listening = new Set<{ onnotify(channel: string, payload: string): void; onclose(): void }>();
  const counts = { connections: 0, heard: 0, trials: 0 };
  const server = { delivers, knowsListen, refuses: false, listening };
  const changes = createPostgresChanges({
    id: "own",
    clock,
    open(on) {
      counts.connections++;
      return {
        unsafe() {
          if (server.refuses) return Promise.reject(Object.assign(new Error(), { code: "ECONNREFUSED" }));
          if (!server.knowsListen) return Promise.reject(new Error("syntax error"));
          listening.add(on);
          return Promise.resolve([]);
        },
        end: () => Promise.resolve(void listening.delete(on)),
      } as unknown as postgres.Sql;
    },
    run(statement) {
      const [, payload] = /^NOTIFY cfbe, '(.*)'$/.exec(statement)!;
      if (payload!.endsWith("trial")) counts.trials++;
      if (server.delivers) notify(payload!);
      return Promise.resolve();
    },
  });
  function notify(payload: string) {
    for (const { onnotify } of listening) onnotify("cfbe", payload);
  }
  const ended = new AbortController();
  changes.follow(() => counts.heard++, ended.signal);
  return {
    clock,
    changes,
    counts,
    server,
    notify,
    lose: () => [...listening].forEach((on) => (listening.delete(on), on.onclose())),
    end: () => ended.abort("ended"),
  };
}

Deno.test("a process hears of the changes of others, and not of its own or of their trials", async () => {
  const { clock, changes, counts, notify, end } = followed();
  await clock.advance(0);
  assert.deepEqual(counts, { connections: 1, heard: 1, trials: 1 });
  assert.equal(changes.arrive(), true);
  notify("another");
  notify("another trial");
  await changes.announce();
  assert.equal(counts.heard, 2);
  end();
});

Deno.test("a lost connection is made again, and whoever follows hears once, because a change may have been missed", async () => {
  const { clock, counts, notify, lose, end } = followed();
  await clock.advance(0);
  lose();
  notify("another");
  await clock.advance(100);
  assert.deepEqual(counts, { connections: 2, heard: 2, trials: 2 });
  notify("another");
  assert.equal(counts.heard, 3);
  end();
});

Deno.test("while no connection can be made, a process waits longer and longer, up to five seconds", async () => {
  const { clock, counts, server, lose, end } = followed();
  await clock.advance(0);
  server.refuses = true;
  lose();
  await clock.advance(60 * 60_000);
  const every5s = 60 * 60 / 5;
  assert.ok(counts.connections > every5s && counts.connections < every5s + 10, `${counts.connections}`);
  server.refuses = false;
  await clock.advance(5_000);
  assert.equal(counts.heard, 2);
  end();
});

Deno.test("a connection that is dead but looks open is noticed within 65 seconds, and made again", async () => {
  const { clock, changes, counts, server, end } = followed();
  await clock.advance(0);
  server.listening.clear();
  await clock.advance(60_000);
  await clock.advance(5_000);
  assert.equal(changes.arrive(), false);
  await clock.advance(100);
  assert.equal(changes.arrive(), true);
  assert.deepEqual([counts.connections, counts.heard], [2, 2]);
  end();
});

const USELESS = {
  "that does not know LISTEN (CockroachDB)": { knowsListen: false },
  "behind a pooler that delivers nothing (PgBouncer)": { delivers: false },
};
for (const [what, server] of Object.entries(USELESS)) {
  Deno.test(`a server ${what} is known to announce nothing, and is tried again once a minute`, async () => {
    const { clock, changes, counts, end } = followed(server);
    await clock.advance(0);
    await clock.advance(5_000);
    assert.equal(changes.arrive(), false);
    await clock.advance(5 * 65_000);
    assert.ok(counts.connections <= 6, `${counts.connections} connections`);
    end();
  });
}

Deno.test("an announcement that fails does not fail the commit before it", async () => {
  const changes = createPostgresChanges({
    id: "own",
    clock: new ManualClock(),
    open: () => assert.fail("announces only"),
    run: () => Promise.reject(new Error("syntax error at or near NOTIFY")),
  });
  await changes.announce();
});

Deno.test("who has ended to follow leaves no connection and no timer behind", async () => {
  const { clock, server, end } = followed();
  await clock.advance(0);
  end();
  await clock.advance(0);
  assert.equal(server.listening.size, 0);
  assert.equal(clock.sleeping, 0);
});
