import { Buffer } from "node:buffer";
import {
  type AtomicCheck,
  type KvCommitError,
  type KvCommitResult,
  type KvKey,
  type KvMutation,
  type KvOperation,
  KvU64,
} from "../port.ts";
import { type Connection, isLost, type StoredRow } from "./postgres_pool.ts";
import { hexOf, KINDS, numberOf, stampOf, stored, VISIBLE } from "./postgres_rows.ts";

/** A row that another commit has inserted meanwhile gets a newer version than that one. */
const OVER_EXISTING =
  " ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires, " +
  "version = CASE WHEN cfbe_rows.version < excluded.version THEN excluded.version ELSE nextval('cfbe_version') END";

/** For how long a change of the gate waits for operations, while no other begins. */
const GATE_LOCK_MS = 3_000;

/**
 * Makes one operation as one transaction of two round trips, whatever its isolation. The first locks all of its rows that
 * exist, in the order of their keys, and compares their versions. The second writes. A row that must not exist is
 * inserted, so that of two transactions the second one waits for the first, fails, and starts again.
 */
export async function commitOnce(
  connection: Connection,
  operation: KvOperation,
): Promise<KvCommitResult | KvCommitError> {
  const { gate } = operation;
  const checks = operation.checks.map(named);
  const mutations = operation.mutations.map(named);
  try {
    const [, locked, [next], gateNow] = await beginAndLock(
      connection,
      new Set([...checks, ...mutations].map(({ name }) => name)),
      gate,
    );
    const rows = new Map(locked.map((row) => [row.key.toString("hex"), row]));
    const isCurrent = checks.every(({ name, versionstamp }) => {
      const row = rows.get(name);
      return (row && !row.gone ? stampOf(row.version) : null) === versionstamp;
    });
    if (!isCurrent || (gate && versionIn(gateNow) !== gate.versionstamp)) {
      await connection.run("ROLLBACK");
      return { ok: false };
    }
    // What is written to these keys depends on their absence.
    const known = [...checks, ...mutations.filter(({ type }) => type === "sum")];
    const absent = new Set(known.map(({ name }) => name).filter((name) => !rows.has(name)));
    await writeAndCommit(connection, outcomeOf(mutations, rows), absent, rows, next.version);
    return { ok: true, versionstamp: stampOf(next.version) };
  } catch (error) {
    // A lost connection has rolled back, and is replaced before the next statement.
    if (!isLost(error)) await connection.run("ROLLBACK").catch(() => {});
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
  connection: Connection,
  keys: ReadonlySet<string>,
  gate: AtomicCheck | undefined,
): Promise<[unknown, Locked[], [{ version: string }], { version: string }[]?]> {
  return await connection.run(
    `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '${connection.lockMs}ms'; ` +
      `SELECT key, value, version::text, NOT ${VISIBLE} AS gone FROM cfbe_rows WHERE key IN (${
        listOf(keys)
      }) ` +
      "ORDER BY key FOR UPDATE; SELECT nextval('cfbe_version')::text AS version" +
      (gate ? `; ${readGate(gate)}` : ""),
  ) as unknown as [unknown, Locked[], [{ version: string }]];
}

const readGate = ({ key }: AtomicCheck) =>
  `SELECT version::text FROM cfbe_rows WHERE key = ${listOf([hexOf(key)])}`;

const versionIn = (rows: readonly { version: string }[] | undefined) =>
  rows?.[0] ? stampOf(rows[0].version) : null;

/** Waits for all operations, which lock the table in the mode ROW SHARE at least, and lets none begin meanwhile. */
export async function changeGateOnce(
  connection: Connection,
  before: AtomicCheck,
  value: Uint8Array,
): Promise<KvCommitResult | KvCommitError> {
  try {
    const results = await connection.run(
      `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '${GATE_LOCK_MS}ms'; ` +
        "LOCK TABLE cfbe_rows IN EXCLUSIVE MODE; SELECT nextval('cfbe_version')::text AS version; " +
        readGate(before),
    ) as unknown as { version: string }[][];
    // Statements without rows may have no result.
    const [[next], rows] = results.slice(-2) as [[{ version: string }], { version: string }[]];
    if (versionIn(rows) !== before.versionstamp) {
      await connection.run("ROLLBACK");
      return { ok: false };
    }
    const written = new Map([[hexOf(before.key), { value: stored(value), expireInMs: undefined }]]);
    await writeAndCommit(
      connection,
      written,
      new Set(rows.length > 0 ? [] : written.keys()),
      written,
      next.version,
    );
    return { ok: true, versionstamp: stampOf(next.version) };
  } catch (error) {
    if (!isLost(error)) await connection.run("ROLLBACK").catch(() => {});
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
  connection: Connection,
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
  await connection.commit([...statements, "COMMIT"].join("; "));
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
