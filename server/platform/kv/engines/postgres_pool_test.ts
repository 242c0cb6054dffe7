import assert from "node:assert/strict";
import type postgres from "postgres";
import { ManualClock } from "../../../../dev/testing/manual_clock.ts";
import { NoAnswer, NotBegun } from "../deadline.ts";
import { type Connection, OutcomeUnknown, Pool } from "./postgres_pool.ts";

const MS = 9_000;
const SILENT_MS = MS / 2;
const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** A statement that a server has got. */
interface Sent {
  text: string;
  /** The number of its connection. */
  on: number;
  answer(rows?: unknown[]): void;
}

/** A pool whose statements wait until a test answers them. Its connections have answered once. */
async function opened(connections: number) {
  const clock = new ManualClock();
  const sent: Sent[] = [];
  let count = 0;
  function open(): postgres.Sql {
    const on = count++;
    const queries = new Set<PromiseWithResolvers<unknown[]>>();
    return {
      unsafe(text: string) {
        const query = Promise.withResolvers<unknown[]>();
        queries.add(query);
        sent.push({ text, on, answer: (rows = []) => query.resolve(rows) });
        return query.promise;
      },
      async end({ timeout }: { timeout: number }) {
        if (timeout > 0) await clock.sleep(timeout * 1_000);
        const code = "CONNECTION_DESTROYED";
        for (const { reject } of queries) reject(Object.assign(new Error(code), { code }));
      },
    } as unknown as postgres.Sql;
  }
  const pool = new Pool(open, connections, { ms: MS, clock });
  const until = clock.now() + MS;
  /** Resolves to the statements that were sent since the last call. */
  const next = async () => {
    await turn();
    return sent.splice(0);
  };
  const transaction = <T>(work: (connection: Connection) => Promise<T>) => pool.transaction(work, until);
  const first = Promise.all(
    Array.from(
      { length: connections - Math.floor(connections / 3) },
      () => transaction(({ run }) => run("")),
    ),
  );
  const reads = connections >= 3 ? pool.read("", [], until) : undefined;
  for (const { answer } of await next()) answer();
  await Promise.all([first, reads]);
  return { clock, pool, next, transaction, until, opened: () => count };
}

/** Locks, and commits. */
const commit = async ({ run, commit }: Connection) => {
  await run("LOCK");
  await commit("COMMIT");
};

Deno.test("a transaction on a connection that is silent can be made again on a new one, and the old one commits nothing", async () => {
  const { clock, next, transaction } = await opened(1);
  const failed = assert.rejects(transaction(commit), NoAnswer);
  const [lock] = await next();
  await clock.advance(SILENT_MS);
  await failed;
  lock!.answer();
  assert.deepEqual(await next(), []);

  const again = transaction(commit);
  const [newLock] = await next();
  assert.ok(newLock!.on > lock!.on);
  newLock!.answer();
  const [made] = await next();
  assert.deepEqual([made!.text, made!.on], ["COMMIT", newLock!.on]);
  made!.answer();
  await again;
});

Deno.test("a transaction that waits for a silent connection gets the one that replaces it", async () => {
  const { clock, next, transaction } = await opened(1);
  const failed = assert.rejects(transaction(commit), NoAnswer);
  const waiting = transaction(({ run }) => run("later"));
  const [lock] = await next();
  await clock.advance(SILENT_MS);
  await failed;
  const [later] = await next();
  assert.ok(later!.on > lock!.on);
  later!.answer();
  await waiting;
});

Deno.test("a COMMIT that gets an answer late has succeeded, and its outcome is unknown without one", async () => {
  for (const isAnswered of [true, false]) {
    const { clock, next, transaction } = await opened(1);
    const made = transaction(commit);
    (await next())[0]!.answer();
    const [sent] = await next();
    await clock.advance(MS - 1);
    if (isAnswered) {
      sent!.answer();
      await made;
    } else {
      await Promise.all([assert.rejects(made, OutcomeUnknown), clock.advance(1)]);
    }
  }
});

Deno.test("a server that lets connections in but answers nothing gets only one new connection for each", async () => {
  const { clock, pool, next, transaction, until, opened: connections } = await opened(3);
  const before = connections();
  const calls = Array.from({ length: 4 }, () => transaction(commit).catch((error) => error));
  const read = pool.read("read", [], until);
  await next();
  await clock.advance(SILENT_MS);
  for (let n = 0; n < 4; n++) calls.push(transaction(commit).catch((error) => error));
  await clock.advance(3 * MS);
  assert.equal(connections(), 2 * before);
  const late = await next();
  for (const { answer } of late) answer();
  await read;
  // They have locked, but their callers do not wait any more.
  for (const { text } of await next()) assert.notEqual(text, "COMMIT");
  for (const error of await Promise.all(calls)) {
    assert.ok(error instanceof NoAnswer || error instanceof NotBegun, String(error));
  }
});

Deno.test("a slow read goes on while it is made again, and the first answer counts", async () => {
  for (const first of ["old", "new"]) {
    const { clock, pool, next, until } = await opened(3);
    const read = pool.read("read", ["a"], until);
    const [slow] = await next();
    await clock.advance(SILENT_MS);
    const [again] = await next();
    assert.ok(again!.on > slow!.on);
    (first === "old" ? slow : again)!.answer([first]);
    assert.deepEqual(await read, [first]);
  }
});

Deno.test("a read on a connection that stays silent is answered by the one that replaces it", async () => {
  const { clock, pool, next, until } = await opened(3);
  const read = pool.read("read", ["a"], until);
  await clock.advance(SILENT_MS);
  const [, again] = await next();
  await clock.advance(SILENT_MS);
  again!.answer(["row"]);
  assert.deepEqual(await read, ["row"]);
});
