/**
 * The port to a database of keys and values, in the order of their keys. What an engine must hold is tested by
 * `conformance.ts`; decision 2 says which engines there are.
 *
 * Errors of an engine are plain; `trouble.ts` says what they mean. A call whose size is above a limit rejects with an
 * error that names the limit, and writes nothing.
 */
export interface Kv extends Disposable {
  /** What the engine can do. Everything that depends on the engine is decided by these values. */
  readonly engine: Engine;
  get<T = unknown>(key: KvKey): Promise<KvEntryMaybe<T>>;
  /** Reads keys consistently: as they were at one moment. At most `limits.keysPerRead`. */
  getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [Index in keyof T]: KvKey }],
  ): Promise<{ [Index in keyof T]: KvEntryMaybe<T[Index]> }>;
  /** Reads the first entries that the selector names, in the order of their keys: as they were at one moment. */
  page<T = unknown>(selector: KvListSelector, options: KvPageOptions): Promise<KvPage<T>>;
  /** Lists the entries that the selector names, in the order of their keys. Reads them page by page, as they are wanted. */
  list<T = unknown>(
    selector: KvListSelector,
    options?: KvListOptions,
  ): AsyncIterableIterator<KvEntry<T>, undefined>;
  /** Sets a key without a check. */
  set(key: KvKey, value: unknown, options?: { expireIn?: number }): Promise<KvCommitResult>;
  /** Deletes a key without a check. */
  delete(key: KvKey): Promise<void>;
  /**
   * Makes an operation. Resolves when it is durable, or with `ok: false` if a check failed and nothing was written. If it
   * rejects because the connection was lost, it may have happened.
   */
  commit(operation: KvOperation): Promise<KvCommitResult | KvCommitError>;
  /** Begins an operation that is collected, and then made by `commit`. */
  atomic(): AtomicOperation;
  /**
   * Sets the row of a gate, provided that it has the version of `before`. Every
   * operation that has checked the gate's earlier version is finished then, and no later one succeeds.
   */
  changeGate(before: AtomicCheck, value: Uint8Array): Promise<KvCommitResult | KvCommitError>;
  /** Returns the time of the database's server, in Unix milliseconds; undefined: the engine can't. */
  readonly now?: () => Promise<number>;
  /** Returns how many rows are stored, expired ones included, without reading them; undefined: the engine can't. */
  readonly count?: () => Promise<number>;
  /** Says at once when another process has changed rows that all keep in memory; undefined: the engine can't. */
  readonly changes?: KvChanges;
  /** Ends all calls. Resolves when no connection is open any more. */
  close(): Promise<void>;
}

/** What an engine can do, as values. */
export interface Engine {
  /** Its name for people: "file", "memory", "KV Connect", "Deno Deploy" or "PostgreSQL". */
  readonly name: string;
  readonly limits: KvLimits;
  /** Several processes can have the database open. */
  readonly shared: boolean;
}

/**
 * Announcements of commits that write a row below `CACHED_ROWS` (`keys.ts`). One may be lost, so whoever follows them also
 * reads those rows again from time to time.
 */
export interface KvChanges {
  /**
   * Calls `heard` when another process has committed such a row or called `announce`, and whenever an announcement may have
   * been missed, until `signal` is aborted.
   */
  follow(heard: () => void, signal: AbortSignal): void;
  /** Calls `heard` in all other processes that follow. Never rejects. */
  announce(): Promise<void>;
  /** Whether announcements arrive; undefined while nobody follows them, or before the first one was tried. */
  arrive(): boolean | undefined;
}

/** What one call to a database may contain. Sizes are in bytes, as `limits.ts` counts them. */
export interface KvLimits {
  /** Checks in one operation. */
  readonly checks: number;
  /** Mutations in one operation. */
  readonly mutations: number;
  /** The `keyBytes` of one operation. */
  readonly keyBytes: number;
  /** The `bytes` of one operation. */
  readonly bytes: number;
  /** One key. */
  readonly keySize: number;
  /** One value. */
  readonly valueSize: number;
  /** Keys in one `getMany`. */
  readonly keysPerRead: number;
}

/** What an operation takes of each limit. */
export type OperationSize = Omit<KvLimits, "keysPerRead">;

/** A part of a key. Within one position, bytes come before text, big integers, numbers, false and true. */
export type KvKeyPart = Uint8Array | string | number | bigint | boolean;
export type KvKey = readonly KvKeyPart[];

export interface KvEntry<T> {
  readonly key: KvKey;
  readonly value: T;
  /** The version of the row: another one after each commit that writes it, and greater than all before. */
  readonly versionstamp: string;
}

/** An entry, or its absence. */
export type KvEntryMaybe<T> = KvEntry<T> | {
  readonly key: KvKey;
  readonly value: null;
  readonly versionstamp: null;
};

/** A stored value is no JSON, because its bytes were damaged. The message names only the kind of the row. */
export class UnreadableRow extends Error {
  override readonly name = "UnreadableRow";
  constructor(readonly key: KvKey) {
    super(`the value of a row of the kind ${String(key[2])} is malformed`);
  }
}

/** A whole number from 0 to 2⁶⁴−1 that `sum` adds to. */
export class KvU64 {
  constructor(readonly value: bigint) {
    if (value < 0n || value > 0xffffffffffffffffn) throw new RangeError("must be an unsigned 64-bit integer");
  }
}

/** The row under `key` must have this version; null: it must not exist. */
export interface AtomicCheck {
  readonly key: KvKey;
  readonly versionstamp: string | null;
}

export type KvMutation =
  & { readonly key: KvKey }
  & (
    /** `expireIn` milliseconds later, the row no longer exists. */
    | { readonly type: "set"; readonly value: unknown; readonly expireIn?: number }
    | { readonly type: "delete" }
    /** Adds to a `KvU64`, modulo 2⁶⁴; a row that does not exist counts as zero. */
    | { readonly type: "sum"; readonly value: KvU64 }
  );

/** Checks and mutations that happen together or not at all. Mutations of one key have the effect of their order. */
export interface KvOperation {
  readonly checks: readonly AtomicCheck[];
  readonly mutations: readonly KvMutation[];
  /** Checks a row that only `changeGate` writes. Many operations can do it at once. */
  readonly gate?: AtomicCheck;
  /** What `sizeOf` returns, if it was called. */
  readonly size?: OperationSize | undefined;
}

/** An operation that is being collected. */
export interface AtomicOperation {
  check(...checks: AtomicCheck[]): this;
  mutate(...mutations: KvMutation[]): this;
  set(key: KvKey, value: unknown, options?: { expireIn?: number }): this;
  delete(key: KvKey): this;
  sum(key: KvKey, n: bigint): this;
  /** Makes the operation, as `Kv.commit` does. */
  commit(): Promise<KvCommitResult | KvCommitError>;
}

export interface KvCommitResult {
  readonly ok: true;
  /** The new version of the rows. */
  readonly versionstamp: string;
}

export interface KvCommitError {
  readonly ok: false;
}

/** Keys below `prefix`, without the prefix itself; or from `start`, and before `end`. */
export type KvListSelector =
  | { prefix: KvKey }
  | { prefix: KvKey; start: KvKey }
  | { prefix: KvKey; end: KvKey }
  | { start: KvKey; end: KvKey };

export interface KvPageOptions {
  /** How many entries to read, at most 1,000. */
  limit: number;
  reverse?: boolean;
}

/** The entries that one read has found. */
export interface KvPage<T> {
  readonly entries: readonly KvEntry<T>[];
  /** Whether there may be more behind them. */
  readonly more: boolean;
}

export interface KvListOptions {
  limit?: number;
  reverse?: boolean;
  /** How many entries one read gets, at most 1,000; 100 by default. */
  batchSize?: number;
}
