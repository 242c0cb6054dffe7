import type { Clock, Log } from "../deps.ts";
import { aroundCalls } from "../kv/around_calls.ts";
import type { DiskSpace, FileReport } from "../kv/database_file.ts";
import { DatabaseMoved } from "../kv/gate.ts";
import { keys } from "../kv/keys.ts";
import { type Kv, UnreadableRow } from "../kv/port.ts";
import { causeOf, type DatabaseCause, mayPass } from "../kv/trouble.ts";
import { withoutAddresses } from "./log.ts";

/** What can fail on its own. `file`: what the file system says about the embedded database. */
type Kind = "file" | "commit" | "read";
const KINDS: readonly Kind[] = ["file", "commit", "read"];

/** A failure of the database. Times are Unix milliseconds. */
export interface DatabaseFailure {
  cause: DatabaseCause;
  /** The text of the error, without an address. */
  reason: string;
  /** When the first and the latest failure were. */
  since: number;
  at: number;
  /** Only single rows can't be read: what needs them fails, and nothing else. */
  ofRows?: true;
}

/** The one place that sees every failure of the database of this process. */
export interface DatabaseHealth {
  /** Returns the same database, with the result of each call noted. */
  watch(kv: Kv): Kv;
  /** Returns what fails now: a later success of the same kind of call clears it. */
  failure(): DatabaseFailure | undefined;
  /** Returns the latest damage that this process has seen, which no success repairs. */
  damage(): DatabaseFailure | undefined;
  /** The disk of the database as last seen; undefined if it is unknown, or the database is on a server. */
  disk(): DiskSpace | undefined;
  /**
   * Makes a commit and a read of its own, and looks at the file. At most once a minute, or every 10 seconds while the
   * database fails, however often it is called. Never rejects.
   */
  probe(): Promise<void>;
  /** Probes now, however recent the latest probe is. Never rejects. */
  probeNow(): Promise<void>;
}

const PROBE_EVERY_MS = 60_000;
const PROBE_FAILING_EVERY_MS = 10_000;
/**
 * How long a failure that does not pass by itself counts, although other calls succeed: on a full disk or in a damaged
 * file, a small commit may succeed while those of signups fail.
 */
const HOLD_MS = 60_000;
/** With so many unreadable rows in that time, the file counts as damaged. */
const MANY_ROWS = 10;

/**
 * Creates the health of the database of a process. It keeps everything in memory, because nothing can be stored while the
 * database fails.
 *
 * @param inspect looks at the file of an embedded database; absent for others
 */
export function createDatabaseHealth(
  { clock, log, inspect }: { clock: Clock; log: Log; inspect?: () => Promise<FileReport> },
): DatabaseHealth {
  const failures: Partial<Record<Kind, DatabaseFailure>> = {};
  const okAt: Partial<Record<Kind, number>> = {};
  let damage: DatabaseFailure | undefined;
  /** When rows were last found to be unreadable, by their keys. */
  const unreadable = new Map<string, number>();
  let disk: DiskSpace | undefined;
  let database: Kv | undefined;
  let probedAt: number | undefined;
  let probing: Promise<void> | undefined;

  function succeeded(kind: Kind) {
    okAt[kind] = clock.now();
  }

  function failed(kind: Kind, cause: DatabaseCause, text: string) {
    const now = clock.now();
    const before = current(kind, now);
    const failure = { cause, reason: withoutAddresses(text), since: before?.since ?? now, at: now };
    if (before?.cause !== cause) log.error("database.failed", { kind, cause, reason: failure.reason });
    failures[kind] = failure;
    delete okAt[kind];
    if (cause === "damaged") damage = { ...failure, since: damage?.since ?? now };
  }

  /** Notes a row that can't be read. Returns whether there are so few that the rest of the database works. */
  function isSingle({ key, message }: UnreadableRow): boolean {
    const now = clock.now();
    for (const [row, at] of unreadable) if (Math.abs(now - at) >= HOLD_MS) unreadable.delete(row);
    unreadable.set(key.map(String).join("\0"), now);
    if (unreadable.size >= MANY_ROWS) return false;
    const row = { cause: "damaged", reason: withoutAddresses(message), at: now, ofRows: true } as const;
    if (!damage || damage.ofRows) damage = { ...row, since: damage?.since ?? now };
    return true;
  }

  function note(kind: Kind, error: unknown) {
    if (error instanceof UnreadableRow && isSingle(error)) return;
    // For a few seconds, as intended.
    if (error instanceof DatabaseMoved && error.gate.phase === "closing") return;
    const cause = causeOf(error);
    if (cause) failed(kind, cause, error instanceof Error ? error.message : String(error));
  }

  function current(kind: Kind, now: number): DatabaseFailure | undefined {
    const failure = failures[kind];
    if (!failure || okAt[kind] === undefined) return failure;
    const isHeld = kind !== "file" && !mayPass(failure.cause) &&
      Math.abs(now - failure.at) < HOLD_MS;
    return isHeld ? failure : undefined;
  }

  async function observed<T>(kind: Kind, call: Promise<T>): Promise<T> {
    try {
      const result = await call;
      succeeded(kind);
      return result;
    } catch (error) {
      note(kind, error);
      throw error;
    }
  }

  function failure(): DatabaseFailure | undefined {
    const now = clock.now();
    return KINDS.map((kind) => current(kind, now)).find((found) => found !== undefined);
  }

  async function run(): Promise<void> {
    probedAt = clock.now();
    const report = await inspect?.();
    if (report) noteFile(report);
    try {
      // Deletes a row that does not exist: a commit that is written like any other, and leaves nothing.
      await database?.atomic().delete(keys.doctor()).commit();
      await database?.get(keys.doctor());
    } catch {
      // `watch` has noted it.
    }
  }

  function noteFile({ trouble, ...report }: FileReport) {
    disk = report.disk;
    if (trouble) failed("file", trouble.cause, trouble.reason);
    else succeeded("file");
  }

  function probeNow(): Promise<void> {
    probing ??= run().catch((error) => log.error("database.probe_failed", { error })).finally(() => {
      probing = undefined;
    });
    return probing;
  }

  return {
    watch(kv) {
      database = aroundCalls(kv, (call, kind) => observed(kind, call));
      return database;
    },
    failure,
    damage: () => damage,
    disk: () => disk,
    probeNow,
    async probe() {
      const every = failure() ? PROBE_FAILING_EVERY_MS : PROBE_EVERY_MS;
      if (probedAt !== undefined && Math.abs(clock.now() - probedAt) < every) return;
      await probeNow();
    },
  };
}
