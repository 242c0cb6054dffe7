import { Buffer } from "node:buffer";
import type postgres from "postgres";
import type { Clock } from "../../deps.ts";
import {
  EMBEDDED_LIMITS,
  keySize,
  MOST_LIMITS,
  requireBelow,
  requireFits,
  sizeOf,
  valueSize,
} from "../limits.ts";
import { isBelow } from "../key.ts";
import { Operation } from "../operation.ts";
import {
  type AtomicCheck,
  type Engine,
  type Kv,
  type KvChanges,
  type KvCommitError,
  type KvCommitResult,
  type KvEntry,
  type KvEntryMaybe,
  type KvKey,
  type KvListIterator,
  type KvListOptions,
  type KvListSelector,
  type KvMutation,
  KvU64,
} from "../port.ts";
import { decodeKey, encodeKey } from "./key_codec.ts";
import { parsePostgresAddress } from "./postgres_address.ts";
import { createPostgresChanges } from "./postgres_changes.ts";
import { codeOf, isLost, OutcomeUnknown, Pool, type StoredRow } from "./postgres_pool.ts";

const POSTGRES_ENGINE: Engine = { name: "PostgreSQL", limits: EMBEDDED_LIMITS, shared: true };

export interface PostgresOptions {
  /** Measures how long to try again. A clock that is never set. */
  clock: Pick<Clock, "now" | "sleep">;
  /** For how long work whose outcome is known is tried again, in milliseconds. */
  triesMs: number;
  /** Names this process in announcements. */
  id: string;
  /** Commits that write a row at or below one of these keys are announced. */
  announced: readonly KvKey[];
}

/** The tables are the same everywhere that PostgreSQL's protocol is spoken: a plain one, and a sequence. */
const SCHEMA = [
  "CREATE TABLE IF NOT EXISTS cfbe_rows " +
  "(key bytea PRIMARY KEY, value bytea NOT NULL, version bigint NOT NULL, expires timestamptz)",
  "CREATE INDEX IF NOT EXISTS cfbe_rows_expires ON cfbe_rows (expires) WHERE expires IS NOT NULL",
  "CREATE SEQUENCE IF NOT EXISTS cfbe_version",
];

const VISIBLE = "(expires IS NULL OR expires > now())";
/** Lists are sent as hexadecimal digits with commas, which needs no knowledge of the server's array types. */
const READ = "SELECT key, value, version::text FROM cfbe_rows WHERE " +
  `key = ANY(ARRAY(SELECT decode(k, 'hex') FROM unnest(string_to_array($1, ',')) AS k)) AND ${VISIBLE}`;
/** A row that another commit has inserted meanwhile gets a newer version than that one. */
const OVER_EXISTING =
  " ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires, " +
  "version = CASE WHEN cfbe_rows.version < excluded.version THEN excluded.version ELSE nextval('cfbe_version') END";
const DELETE_EXPIRED = "DELETE FROM cfbe_rows WHERE key IN " +
  "(SELECT key FROM cfbe_rows WHERE expires <= now() ORDER BY key LIMIT 1000 FOR UPDATE)";
const EXPIRED_EVERY_MS = 60_000;
/** For how long a change of the gate waits for operations, while no other begins. */
const GATE_LOCK_MS = 3_000;

/** How a stored value begins. */
const KINDS = { bytes: 0, u64: 1 } as const;

/**
 * Opens a PostgreSQL database, and creates its table if it does not exist. Rows are as in Deno KV: keys in an encoding
 * that keeps their order, versions from a sequence.
 *
 * One operation is one transaction of two round trips, whatever its isolation. The first locks all of its rows that exist,
 * in the order of their keys, and compares their versions. The second writes. A row that must not exist is inserted, so
 * that of two transactions the second one waits for the first, fails, and starts again.
 *
 * - A call whose outcome is known (a read, a refused transaction, no connection) is tried again for `triesMs`.
 * - If the connection is lost during COMMIT, the call rejects: the commit may have happened.
 *
 * @throws the error of the server, if it can't be reached or used
 */
export async function openPostgres(address: string, options: PostgresOptions): Promise<Kv> {
  const { default: connect } = await import("postgres");
  const { url, socket, tls, connections } = parsePostgresAddress(address);
  const open = (max: number, others: postgres.Options<Record<never, never>> = {}) =>
    connect(url, {
      ...(socket && { host: socket }),
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
  const pool = new Pool(open, connections);
  try {
    await pool.transaction(prepare);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const changes = createPostgresChanges({
    ...options,
    open: (on) => open(1, { ...on, max_lifetime: null }),
    run: (statement) => pool.transaction((sql) => sql.unsafe(statement)),
  });
  return kvOf(pool, changes, options);
}

async function readNow(sql: postgres.Sql): Promise<number> {
  const [row] = await sql.unsafe("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms");
  return Number(row!.ms);
}

async function countRows(sql: postgres.Sql): Promise<number> {
  const [row] = await sql.unsafe("SELECT count(*)::text AS rows FROM cfbe_rows");
  return Number(row!.rows);
}

async function prepare(sql: postgres.Sql): Promise<void> {
  try {
    await sql.unsafe("SELECT 1 FROM cfbe_rows LIMIT 0");
  } catch (error) {
    if (codeOf(error) !== "42P01") throw error;
    for (const statement of SCHEMA) {
      // Two processes that start at once: the other one has created it.
      await sql.unsafe(statement).catch(unless("23505", "42P07"));
    }
  }
}

function kvOf(pool: Pool, changes: KvChanges, options: PostgresOptions): Kv {
  const { limits } = POSTGRES_ENGINE;
  const ended = new AbortController();
  const query = (text: string, values: string[]) => again(() => pool.read(text, values), options);

  async function getMany(keys: readonly KvKey[]): Promise<KvEntryMaybe<unknown>[]> {
    requireBelow("keysPerRead", keys.length, limits);
    const names = keys.map(hexOf);
    const rows = new Map((await query(READ, [names.join()])).map((row) => [row.key.toString("hex"), row]));
    return keys.map((key, at) => {
      const row = rows.get(names[at]!);
      return row ? { ...entryOf(row), key } : { key, value: null, versionstamp: null };
    });
  }

  async function commit(operation: Operation): Promise<KvCommitResult | KvCommitError> {
    requireAllowed(operation);
    const result = await again(() => pool.transaction((sql) => commitOnce(sql, operation)), options);
    const isAnnounced = operation.mutations.some(({ key }) => isBelow(key, options.announced));
    // Waited for, because a command may end right after its commit.
    if (result.ok && isAnnounced) await changes.announce();
    return result;
  }

  const single = async (write: (tx: Operation) => void) => {
    const operation = new Operation(commit);
    write(operation);
    const result = await operation.commit();
    if (!result.ok) throw new Error("an operation without checks failed");
    return result;
  };

  void removeExpired(pool, options.clock, ended.signal);
  async function close() {
    ended.abort("closed");
    await pool.end();
  }
  return {
    engine: POSTGRES_ENGINE,
    get: async <T>(key: KvKey) => (await getMany([key]))[0] as KvEntryMaybe<T>,
    getMany: ((keys: readonly KvKey[]) => getMany(keys)) as Kv["getMany"],
    list: <T>(selector: KvListSelector, options: KvListOptions = {}) =>
      new Rows<T>(query, rangeOf(selector), options),
    set: (key, value, { expireIn } = {}) =>
      single((tx) => tx.set(key, value, expireIn === undefined ? {} : { expireIn })),
    delete: async (key) => void await single((tx) => tx.delete(key)),
    atomic: () => new Operation(commit),
    now: () => again(() => pool.transaction(readNow), options),
    count: () => again(() => pool.transaction(countRows), options),
    changes,
    changeGate: (before, value) =>
      again(() => pool.transaction((sql) => changeGateOnce(sql, before, value)), options),
    close,
    [Symbol.dispose]: () => void close(),
  };
}

/** @throws {TypeError} with the name of the limit that the operation exceeds */
function requireAllowed(operation: Operation): void {
  const limits = MOST_LIMITS;
  requireFits(sizeOf(operation), limits);
  for (const { key } of [...operation.checks, ...operation.mutations]) {
    requireBelow("keySize", keySize(key), limits);
  }
  for (const mutation of operation.mutations) {
    if (mutation.type === "set") requireBelow("valueSize", valueSize(mutation.value), limits);
  }
}

async function commitOnce(
  sql: postgres.Sql,
  { gated, ...operation }: Operation,
): Promise<KvCommitResult | KvCommitError> {
  const checks = operation.checks.map(named);
  const mutations = operation.mutations.map(named);
  try {
    const [, locked, [next], gate] = await beginAndLock(
      sql,
      new Set([...checks, ...mutations].map(({ name }) => name)),
      gated,
    );
    const rows = new Map(locked.map((row) => [row.key.toString("hex"), row]));
    const isCurrent = checks.every(({ name, versionstamp }) => {
      const row = rows.get(name);
      return (row && !row.gone ? stampOf(row.version) : null) === versionstamp;
    });
    if (!isCurrent || (gated && versionIn(gate) !== gated.versionstamp)) {
      await sql.unsafe("ROLLBACK");
      return { ok: false };
    }
    // What is written to these keys depends on their absence.
    const known = [...checks, ...mutations.filter(({ type }) => type === "sum")];
    const absent = new Set(known.map(({ name }) => name).filter((name) => !rows.has(name)));
    await writeAndCommit(sql, outcomeOf(mutations, rows), absent, rows, next.version);
    return { ok: true, versionstamp: stampOf(next.version) };
  } catch (error) {
    // A lost connection has rolled back, and is replaced before the next statement.
    if (!isLost(error)) await sql.unsafe("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** With the bytes of its key, in hexadecimal digits. */
type Named<T> = T & { name: string };

const named = <T extends { key: KvKey }>(part: T): Named<T> => ({ ...part, name: hexOf(part.key) });

type Locked = StoredRow & { gone: boolean };

/**
 * Resolves to the results of the statements: the second has the rows, the third a new version, and the fourth the gate.
 *
 * The gate's row is not locked, which would make all transactions wait for each other. `changeGate` locks the table, and
 * the statement that reads the gate sees what was committed after the statement before it has locked the table, too.
 */
async function beginAndLock(
  sql: postgres.Sql,
  keys: ReadonlySet<string>,
  gated: AtomicCheck | undefined,
): Promise<[unknown, Locked[], [{ version: string }], { version: string }[]?]> {
  return await sql.unsafe(
    `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT key, value, version::text, NOT ${VISIBLE} AS gone FROM cfbe_rows WHERE key IN (${
      listOf(keys)
    }) ` +
      "ORDER BY key FOR UPDATE; SELECT nextval('cfbe_version')::text AS version" +
      (gated ? `; ${readGate(gated)}` : ""),
  ).simple() as unknown as [unknown, Locked[], [{ version: string }]];
}

const readGate = ({ key }: AtomicCheck) =>
  `SELECT version::text FROM cfbe_rows WHERE key = ${listOf([hexOf(key)])}`;

const versionIn = (rows: readonly { version: string }[] | undefined) =>
  rows?.[0] ? stampOf(rows[0].version) : null;

/** Waits for all operations, which lock the table in the mode ROW SHARE at least, and lets none begin meanwhile. */
async function changeGateOnce(
  sql: postgres.Sql,
  before: AtomicCheck,
  value: Uint8Array,
): Promise<KvCommitResult | KvCommitError> {
  try {
    const results = await sql.unsafe(
      `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '${GATE_LOCK_MS}ms'; ` +
        "LOCK TABLE cfbe_rows IN EXCLUSIVE MODE; SELECT nextval('cfbe_version')::text AS version; " +
        readGate(before),
    ).simple() as unknown as { version: string }[][];
    // Statements without rows may have no result.
    const [[next], rows] = results.slice(-2) as [[{ version: string }], { version: string }[]];
    if (versionIn(rows) !== before.versionstamp) {
      await sql.unsafe("ROLLBACK");
      return { ok: false };
    }
    const written = new Map([[hexOf(before.key), { value: stored(value), expireInMs: undefined }]]);
    await writeAndCommit(sql, written, new Set(rows.length > 0 ? [] : written.keys()), written, next.version);
    return { ok: true, versionstamp: stampOf(next.version) };
  } catch (error) {
    if (!isLost(error)) await sql.unsafe("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** Returns keys as literals. They are hexadecimal digits. */
function listOf(keys: Iterable<string>): string {
  return [...keys].map((key) => `'\\x${key}'::bytea`).join();
}

/** What an operation leaves under a key: nothing, or a value and for how long. */
type Written = { value: Uint8Array; expireInMs: number | undefined } | null;

/** Returns what the mutations leave under each key. */
function outcomeOf(
  mutations: readonly Named<KvMutation>[],
  rows: ReadonlyMap<string, Locked>,
): Map<string, Written> {
  const writes = new Map<string, Written>();
  for (const mutation of mutations) {
    const { name: key } = mutation;
    if (mutation.type === "delete") writes.set(key, null);
    else if (mutation.type === "set") {
      const { value, expireIn } = mutation;
      const expireInMs = expireIn === undefined ? undefined : Math.max(0, Math.ceil(expireIn));
      writes.set(key, { value: stored(value), expireInMs });
    } else {
      const row = rows.get(key);
      const before = writes.has(key) ? writes.get(key)?.value : row && !row.gone ? row.value : undefined;
      const sum = (before ? numberOf(before) : 0n) + mutation.value.value;
      writes.set(key, { value: stored(new KvU64(BigInt.asUintN(64, sum))), expireInMs: undefined });
    }
  }
  return writes;
}

/**
 * Writes and commits in one round trip. A key in `absent` must still not exist: it is inserted, and deleted again if
 * nothing is written to it, so that another transaction waits for this one.
 */
async function writeAndCommit(
  sql: postgres.Sql,
  writes: ReadonlyMap<string, Written>,
  absent: ReadonlySet<string>,
  rows: ReadonlyMap<string, unknown>,
  version: string,
): Promise<void> {
  const inserted = [...absent].map((key) => [key, writes.get(key) ?? NOTHING] as const);
  const upserted = [...writes].flatMap(([key, row]) => row && !absent.has(key) ? [[key, row] as const] : []);
  const deleted = [
    ...[...absent].filter((key) => !writes.get(key)),
    ...[...writes].flatMap(([key, row]) => !row && !absent.has(key) && rows.has(key) ? [key] : []),
  ];
  // Fails if the transaction has ended with a connection that was replaced.
  const statements = ["SAVEPOINT begun"];
  if (inserted.length > 0) statements.push(insertOf(inserted, version));
  if (upserted.length > 0) statements.push(insertOf(upserted, version) + OVER_EXISTING);
  if (deleted.length > 0) statements.push(`DELETE FROM cfbe_rows WHERE key IN (${listOf(deleted)})`);
  try {
    await sql.unsafe([...statements, "COMMIT"].join("; ")).simple();
  } catch (error) {
    if (isLost(error)) {
      throw new OutcomeUnknown(
        "the connection to the database was lost during a commit, which may have happened",
        {
          cause: error,
        },
      );
    }
    throw error;
  }
}

const NOTHING: NonNullable<Written> = { value: Uint8Array.of(KINDS.bytes), expireInMs: undefined };

function insertOf(rows: readonly (readonly [string, NonNullable<Written>])[], version: string): string {
  const values = rows.toSorted(([a], [b]) => a < b ? -1 : 1).map(([key, { value, expireInMs }]) => {
    const expires = expireInMs === undefined ? "NULL" : `(now() + ${expireInMs} * interval '1 millisecond')`;
    return `('\\x${key}'::bytea, '\\x${
      Buffer.from(value).toString("hex")
    }'::bytea, ${version}, ${expires}::timestamptz)`;
  });
  return `INSERT INTO cfbe_rows (key, value, version, expires) VALUES ${values.join()}`;
}

/** Where a list begins and ends, in hexadecimal digits. */
interface Range {
  start: string;
  end: string;
}

function rangeOf(selector: KvListSelector): Range {
  const prefix = "prefix" in selector ? hexOf(selector.prefix) : "";
  const start = "start" in selector ? hexOf(selector.start) : `${prefix}00`;
  const end = "end" in selector ? hexOf(selector.end) : `${prefix}ff`;
  return { start, end };
}

class Rows<T> implements KvListIterator<T> {
  /** The key of the last row that was returned. */
  #last: Buffer;
  #batch: StoredRow[] = [];
  #at = 0;
  #left: number;
  #ended = false;
  readonly #read: (after: string, count: number) => Promise<StoredRow[]>;
  readonly #batchSize: number;

  constructor(
    query: (text: string, values: string[]) => Promise<StoredRow[]>,
    range: Range,
    { limit = Infinity, cursor = "", reverse = false, batchSize = 100 }: KvListOptions,
  ) {
    this.#last = Buffer.from(cursor, "base64url");
    this.#left = limit;
    this.#batchSize = batchSize;
    const text = `SELECT key, value, version::text FROM cfbe_rows WHERE key >= decode($1, 'hex') AND ` +
      `key < decode($2, 'hex') AND ${VISIBLE} ORDER BY key ${reverse ? "DESC" : "ASC"} LIMIT $3::bigint`;
    this.#read = (after, count) => {
      const start = after && !reverse ? `${after}00` : range.start;
      return query(text, [start, after && reverse ? after : range.end, String(count)]);
    };
  }

  get cursor(): string {
    return this.#last.toString("base64url");
  }

  async next(): Promise<IteratorResult<KvEntry<T>, undefined>> {
    if (this.#at === this.#batch.length && !this.#ended && this.#left > 0) {
      const count = Math.min(this.#batchSize, this.#left);
      this.#batch = await this.#read(this.#last.toString("hex"), count);
      this.#at = 0;
      this.#ended = this.#batch.length < count;
    }
    const row = this.#batch[this.#at];
    if (!row) return { done: true, value: undefined };
    this.#at++;
    this.#left--;
    this.#last = row.key;
    return { done: false, value: entryOf(row) as KvEntry<T> };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function entryOf({ key, value, version }: StoredRow): KvEntry<unknown> {
  return {
    key: decodeKey(key),
    value: value[0] === KINDS.u64 ? new KvU64(numberOf(value)) : new Uint8Array(value.subarray(1)),
    versionstamp: stampOf(version),
  };
}

function numberOf(value: Uint8Array): bigint {
  if (value[0] !== KINDS.u64) throw new TypeError("a row to sum up is no number");
  return new DataView(value.buffer, value.byteOffset).getBigUint64(1);
}

function stored(value: unknown): Uint8Array {
  const bytes = new Uint8Array(value instanceof KvU64 ? 9 : (value as Uint8Array).length + 1);
  if (value instanceof KvU64) {
    bytes[0] = KINDS.u64;
    new DataView(bytes.buffer).setBigUint64(1, value.value);
  } else if (value instanceof Uint8Array) bytes.set(value, 1);
  else throw new TypeError("PostgreSQL stores bytes and numbers; see `withPortableValues`");
  return bytes;
}

function stampOf(version: string): string {
  return version.padStart(20, "0");
}

function hexOf(key: KvKey): string {
  return encodeKey(key).toString("hex");
}

/** Deletes rows that have expired, once a minute. They are invisible before. */
async function removeExpired(
  pool: Pool,
  clock: PostgresOptions["clock"],
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    await clock.sleep(EXPIRED_EVERY_MS, ended);
    // A failure is seen by other calls, and the next minute tries again.
    if (!ended.aborted) await pool.transaction((sql) => sql.unsafe(DELETE_EXPIRED)).catch(() => {});
  }
}

/** Tries work again while it fails for a reason that may pass and its outcome is known. */
async function again<T>(work: () => Promise<T>, { clock, triesMs }: PostgresOptions): Promise<T> {
  const end = clock.now() + triesMs;
  for (let waitMs = 5;; waitMs = Math.min(500, waitMs * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || clock.now() + waitMs >= end) throw error;
      await clock.sleep(waitMs);
    }
  }
}

function unless(...codes: string[]): (error: unknown) => void {
  return (error) => {
    if (!codes.includes(codeOf(error) ?? "")) throw error;
  };
}

/**
 * Returns whether the same call may succeed later: another transaction was first (40, and 23505 of an insert), the server
 * only reads (25006), the transaction has ended (25P01), it restarts, or can't be reached.
 */
function isPassing(error: unknown): boolean {
  if (error instanceof OutcomeUnknown) return false;
  return isLost(error) || /^(40001|40P01|23505|25006|25P01|53300)$/.test(codeOf(error) ?? "");
}
