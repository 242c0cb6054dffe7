import type postgres from "postgres";
import type { Clock } from "../../deps.ts";
import { EMBEDDED_LIMITS, MOST_LIMITS, requireBelow, requireFits, sizeOf } from "../limits.ts";
import { isBelow } from "../key.ts";
import { listing } from "../listing.ts";
import { committing, writingOne } from "../operation.ts";
import type {
  Engine,
  Kv,
  KvChanges,
  KvCommitError,
  KvCommitResult,
  KvEntryMaybe,
  KvKey,
  KvListSelector,
  KvOperation,
  KvPage,
  KvPageOptions,
} from "../port.ts";
import { parsePostgresAddress } from "./postgres_address.ts";
import { createPostgresChanges } from "./postgres_changes.ts";
import { changeGateOnce, commitOnce } from "./postgres_commit.ts";
import {
  codeOf,
  type Connection,
  isLost,
  OutcomeUnknown,
  Pool,
  type Rows,
  type StoredRow,
} from "./postgres_pool.ts";
import { entryOf, hexOf, pageStatement, rangeOf, READ } from "./postgres_rows.ts";

const POSTGRES_ENGINE: Engine = { name: "PostgreSQL", limits: EMBEDDED_LIMITS, shared: true };

export interface PostgresOptions {
  /** Measures how long to try again. A clock that is never set. */
  clock: Pick<Clock, "now" | "sleep">;
  /**
   * For how long work whose outcome is known is tried again, in milliseconds. After half of it, a connection that is
   * silent is replaced.
   */
  triesMs: number;
  /** Names this process in announcements. */
  id: string;
  /** Commits that write a row at or below one of these keys are announced. */
  announced: readonly KvKey[];
}

/**
 * The tables are the same everywhere that PostgreSQL's protocol is spoken: a plain one, and a sequence. Sent at once, the
 * statements are one transaction: a process that ends meanwhile leaves all of it or nothing.
 */
const SCHEMA = [
  "CREATE TABLE IF NOT EXISTS cfbe_rows " +
  "(key bytea PRIMARY KEY, value bytea NOT NULL, version bigint NOT NULL, expires timestamptz)",
  "CREATE INDEX IF NOT EXISTS cfbe_rows_expires ON cfbe_rows (expires) WHERE expires IS NOT NULL",
  "CREATE SEQUENCE IF NOT EXISTS cfbe_version",
].join("; ");

/** How many rows one statement deletes, so that it locks few, and only shortly. */
const EXPIRED_BATCH = 1_000;

const DELETE_EXPIRED = "DELETE FROM cfbe_rows WHERE key IN " +
  `(SELECT key FROM cfbe_rows WHERE expires <= now() ORDER BY key LIMIT ${EXPIRED_BATCH} FOR UPDATE)`;

const COUNT = "SELECT count(*)::text AS rows FROM cfbe_rows";

const EXPIRED_EVERY_MS = 60_000;
/** Between two batches, other calls have their turn. */
export const EXPIRED_REST_MS = 100;

/** The code of an error about a table or sequence that does not exist. */
const UNDEFINED_TABLE = "42P01";

/** The code of an error about a lock that another transaction holds for too long. */
const LOCKED = "55P03";

/**
 * Opens a PostgreSQL database, and creates its table if it does not exist. Rows are as in Deno KV: keys in an encoding
 * that keeps their order, versions from a sequence.
 *
 * - A call whose outcome is known (a read, a refused transaction, no connection) is tried again for `triesMs`.
 * - If the connection is lost during COMMIT, the call rejects: the commit may have happened.
 * - Nothing is committed after a call was rejected for another reason.
 *
 * @throws the error of the server, if it can't be reached or used
 */
export async function openPostgres(address: string, options: PostgresOptions): Promise<Kv> {
  const { default: connect } = await import("postgres");
  const [PGHOST, PGPORT] = ["PGHOST", "PGPORT"].map((name) => Deno.env.get(name));
  const { url, host, port, tls, connections } = parsePostgresAddress(address, { PGHOST, PGPORT });
  const open = (max: number, others: postgres.Options<Record<never, never>> = {}) =>
    connect(url, {
      // The library takes lists, which its types do not say.
      ...{ host, port } as { host: string; port: number },
      max,
      ssl: tls,
      connect_timeout: 5,
      backoff: () => 0.1,
      fetch_types: false,
      // After a failover, an old connection may lead to a server that only reads.
      max_lifetime: 30 * 60,
      onnotice: () => {},
      connection: { application_name: "cfbe", idle_in_transaction_session_timeout: 15_000 },
      ...others,
    });
  const pool = new Pool(open, connections, { ms: options.triesMs, clock: options.clock });
  try {
    await pool.transaction(prepare, Infinity);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const changes = createPostgresChanges({
    ...options,
    open: (on) => open(1, { ...on, max_lifetime: null }),
    run: (statement) => runOnce(pool, statement, options),
  });
  return kvOf(pool, changes, options);
}

/** Runs a statement, and does not try again. */
async function runOnce(pool: Pool, statement: string, { clock, triesMs }: PostgresOptions): Promise<Rows> {
  return await pool.transaction(({ run }) => run(statement), clock.now() + triesMs);
}

async function readNow({ run }: Connection): Promise<number> {
  const [row] = await run("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms");
  return Number(row!.ms);
}

/** @throws the error of the server, if the tables can't be created */
async function prepare(connection: Connection): Promise<void> {
  if (await isPrepared(connection)) return;
  try {
    await connection.run(SCHEMA);
  } catch (error) {
    // Of two processes that start at once, the other one may have created them. The server notices that by the name of
    // the table, by that of the type of its rows, or where it writes one of them.
    if (!await isPrepared(connection)) throw error;
  }
}

async function isPrepared({ run }: Connection): Promise<boolean> {
  try {
    await run("SELECT 1 FROM cfbe_rows, cfbe_version LIMIT 0");
    return true;
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) return false;
    throw error;
  }
}

function kvOf(pool: Pool, changes: KvChanges, options: PostgresOptions): Kv {
  const { limits } = POSTGRES_ENGINE;
  const ended = new AbortController();
  const again = <T>(work: (until: number) => Promise<T>, passes = isPassing) =>
    tryAgain(work, passes, options, ended.signal);
  const transaction = <T>(work: (connection: Connection) => Promise<T>) =>
    again((until) => pool.transaction(work, until));
  const query = <T = StoredRow>(text: string, values: string[] = []) =>
    again<unknown>((until) => pool.read(text, values, until)) as Promise<T[]>;

  async function getMany(keys: readonly KvKey[]): Promise<KvEntryMaybe<unknown>[]> {
    requireBelow("keysPerRead", keys.length, limits);
    const names = keys.map(hexOf);
    const rows = new Map((await query(READ, [names.join()])).map((row) => [row.key.toString("hex"), row]));
    return keys.map((key, at) => {
      const row = rows.get(names[at]!);
      return row ? { ...entryOf(row), key } : { key, value: null, versionstamp: null };
    });
  }

  async function page(
    selector: KvListSelector,
    { limit, reverse = false }: KvPageOptions,
  ): Promise<KvPage<unknown>> {
    const { start, end } = rangeOf(selector);
    const rows = await query(pageStatement(reverse), [start, end, String(limit)]);
    return { entries: rows.map(entryOf), more: rows.length === limit };
  }

  async function commit(operation: KvOperation): Promise<KvCommitResult | KvCommitError> {
    requireFits(sizeOf(operation), MOST_LIMITS);
    const result = await again(
      (until) => pool.transaction((connection) => commitOnce(connection, operation), until),
      (error) => isPassing(error) || codeOf(error) === LOCKED,
    );
    const isAnnounced = operation.mutations.some(({ key }) => isBelow(key, options.announced));
    // Waited for, because a command may end right after its commit.
    if (result.ok && isAnnounced) await changes.announce();
    return result;
  }

  void removeExpired(pool, options, ended.signal);
  async function close() {
    ended.abort("closed");
    await pool.end();
  }
  return {
    engine: POSTGRES_ENGINE,
    get: async <T>(key: KvKey) => (await getMany([key]))[0] as KvEntryMaybe<T>,
    getMany: ((keys: readonly KvKey[]) => getMany(keys)) as Kv["getMany"],
    ...listing(page),
    ...writingOne(commit),
    ...committing(commit),
    now: () => transaction(readNow),
    count: async () => Number((await query<{ rows: string }>(COUNT))[0]!.rows),
    changes,
    changeGate: (before, value) => transaction((connection) => changeGateOnce(connection, before, value)),
    close,
    [Symbol.dispose]: () => void close(),
  };
}

/** Deletes all rows that have expired, once a minute. They are invisible before. */
async function removeExpired(
  pool: Pool,
  options: PostgresOptions,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    await options.clock.sleep(EXPIRED_EVERY_MS, ended);
    while (!ended.aborted) {
      // A failure is seen by other calls, and the next minute tries again.
      const deleted = await runOnce(pool, DELETE_EXPIRED, options).catch(() => undefined);
      if (deleted?.count !== EXPIRED_BATCH) break;
      await options.clock.sleep(EXPIRED_REST_MS, ended);
    }
  }
}

/** Tries work again while it fails for a reason that may pass and its outcome is known, until the database is closed. */
async function tryAgain<T>(
  work: (until: number) => Promise<T>,
  passes: (error: unknown) => boolean,
  { clock, triesMs }: PostgresOptions,
  ended: AbortSignal,
): Promise<T> {
  const end = clock.now() + triesMs;
  for (let waitMs = 5;; waitMs = Math.min(500, waitMs * 2)) {
    try {
      return await work(end);
    } catch (error) {
      if (!passes(error) || ended.aborted || clock.now() + waitMs >= end) throw error;
      await clock.sleep(waitMs, ended);
    }
  }
}

/**
 * Returns whether the same call may succeed later: another transaction was first (40, and 23505 of an insert), the server
 * only reads (25006), the transaction has ended (25P01), it restarts, or can't be reached.
 */
function isPassing(error: unknown): boolean {
  if (error instanceof OutcomeUnknown) return false;
  return isLost(error) || /^(40001|40P01|23505|25006|25P01|53300)$/.test(codeOf(error) ?? "");
}
