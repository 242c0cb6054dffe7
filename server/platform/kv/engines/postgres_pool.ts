import type { Buffer } from "node:buffer";
import type postgres from "postgres";

/** A row of the table. */
export interface StoredRow {
  key: Buffer;
  value: Buffer;
  version: string;
}

/**
 * Connections for transactions, each with a pool of one of its own, because the library's reserved connections never
 * settle what is sent after they are lost; and those for reads, which need no transaction.
 *
 * After a connection is lost, its pool is replaced: version 3.4.9 never sends anything again if something waited to be
 * sent at that moment (`closed` in its connection.js clears a timer and keeps its number).
 */
export class Pool {
  readonly #open: (connections: number) => postgres.Sql;
  readonly #readers: number;
  readonly #all = new Set<postgres.Sql>();
  readonly #free: postgres.Sql[];
  readonly #waiting: ((sql: postgres.Sql) => void)[] = [];
  /** Undefined: reads use the connections of transactions. */
  #reader: postgres.Sql | undefined;
  #isEnded = false;

  /** @param open returns a pool of so many connections */
  constructor(open: (connections: number) => postgres.Sql, connections: number) {
    this.#open = open;
    this.#readers = Math.floor(connections / 3);
    this.#free = Array.from({ length: connections - this.#readers }, () => this.#opened(1));
    if (this.#readers > 0) this.#reader = this.#opened(this.#readers);
  }

  #opened(connections: number): postgres.Sql {
    const sql = this.#open(connections);
    this.#all.add(sql);
    return sql;
  }

  #replaced(sql: postgres.Sql, connections: number): postgres.Sql {
    if (this.#isEnded) return sql;
    this.#all.delete(sql);
    void sql.end({ timeout: 0 });
    return this.#opened(connections);
  }

  /** Runs work that has a connection of its own. */
  async transaction<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    let sql = this.#free.pop() ?? await new Promise<postgres.Sql>((resolve) => this.#waiting.push(resolve));
    try {
      return await work(sql);
    } catch (error) {
      if (isLost(error)) sql = this.#replaced(sql, 1);
      throw error;
    } finally {
      const next = this.#waiting.shift();
      if (next) next(sql);
      else this.#free.push(sql);
    }
  }

  async read(text: string, values: string[]): Promise<StoredRow[]> {
    const run = async (sql: postgres.Sql) => await sql.unsafe<StoredRow[]>(text, values, { prepare: true });
    const reader = this.#reader;
    if (!reader) return await this.transaction(run);
    try {
      return await run(reader);
    } catch (error) {
      // The first of several calls that fail together replaces it.
      if (isLost(error) && reader === this.#reader) this.#reader = this.#replaced(reader, this.#readers);
      throw error;
    }
  }

  /** Ends all connections. What is called later rejects, and opens none. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await Promise.all([...this.#all].map((sql) => sql.end({ timeout: 1 })));
  }
}

/** The connection was lost while a commit was under way. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}

/** Returns the SQLSTATE of the server, or the code of the library or the system. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** Returns whether the connection ended, or the server ends it, so that what was under way may have happened. */
export function isLost(error: unknown): boolean {
  return error instanceof OutcomeUnknown ||
    /^(CONNECTION_|CONNECT_|ECONN|EPIPE|ETIMEDOUT|ENOENT|57P0|08)/.test(codeOf(error) ?? "");
}
