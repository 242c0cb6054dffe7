import type { Buffer } from "node:buffer";
import type postgres from "postgres";
import { createInTime, type Deadline, type InTime, NoAnswer, NotBegun } from "../deadline.ts";

/** A row of the table. */
export interface StoredRow {
  key: Buffer;
  value: Buffer;
  version: string;
}

/** What a statement returns, with the number of rows that it has read or changed. */
export type Rows = postgres.RowList<postgres.Row[]>;

/** A connection for one transaction. */
export interface Connection {
  /** How long a statement may wait for a lock, in milliseconds: the server then answers before it counts as silent. */
  readonly lockMs: number;
  /** @throws {NoAnswer} if the server did not respond in time */
  run(text: string, values?: string[]): Promise<Rows>;
  /**
   * Runs statements whose last one is COMMIT.
   *
   * @throws {NotBegun} if the time of the transaction was over before they were sent
   * @throws {OutcomeUnknown}
   */
  commit(text: string): Promise<void>;
}

/**
 * Connections for transactions, each with a pool of one of its own, because the library's reserved connections never
 * settle what is sent after they are lost; and those for reads, which need no transaction.
 *
 * After a connection is lost, its pool is replaced: version 3.4.9 never sends anything again if something waited to be
 * sent at that moment (`closed` in its connection.js clears a timer and keeps its number).
 *
 * The system notices only after a quarter of an hour that a host has no power, or that a firewall has forgotten a
 * connection. So a connection that is silent for half of `deadline` is replaced, too, and the call is made again. A
 * server that is only slow looks the same, so:
 *
 * - Transactions wait for locks no longer than `lockMs`. The server then refuses, and the connection is kept.
 * - A read goes on until `deadline` on the old connection, too, and the first answer counts.
 * - A transaction that has not sent its COMMIT begins anew. The server rolls the old one back.
 * - A COMMIT can't be sent again, and may take until `deadline`.
 * - A connection that has never answered is not replaced: the server has just let it in, so it is slow. A server that
 *   answers nothing thus never gets more than twice as many connections.
 */
export class Pool {
  readonly #open: (connections: number) => postgres.Sql;
  readonly #readers: number;
  readonly #all = new Set<postgres.Sql>();
  readonly #free: postgres.Sql[];
  readonly #waiting: ((sql: postgres.Sql) => void)[] = [];
  /** Those that have answered a statement. */
  readonly #answered = new WeakSet<postgres.Sql>();
  readonly #deadline: Deadline;
  readonly #silentMs: number;
  /** Limits what can be made again on another connection. */
  readonly #soon: InTime;
  /** Limits the rest. */
  readonly #whole: InTime;
  /** Undefined: reads use the connections of transactions. */
  #reader: postgres.Sql | undefined;
  #isEnded = false;

  /** @param open returns a pool of so many connections */
  constructor(open: (connections: number) => postgres.Sql, connections: number, deadline: Deadline) {
    this.#open = open;
    this.#deadline = deadline;
    this.#silentMs = deadline.ms / 2;
    this.#soon = createInTime({ ...deadline, ms: this.#silentMs });
    this.#whole = createInTime(deadline);
    this.#readers = Math.floor(connections / 3);
    this.#free = Array.from({ length: connections - this.#readers }, () => this.#opened(1));
    if (this.#readers > 0) this.#reader = this.#opened(this.#readers);
  }

  #opened(connections: number): postgres.Sql {
    const sql = this.#open(connections);
    this.#all.add(sql);
    return sql;
  }

  /** @param restMs how long what is under way may still take */
  #replaced(sql: postgres.Sql, connections: number, restMs = 0): postgres.Sql {
    if (this.#isEnded) return sql;
    this.#all.delete(sql);
    void sql.end({ timeout: restMs / 1_000 });
    return this.#opened(connections);
  }

  /** Waits for a connection that another transaction uses. */
  async #turn(): Promise<postgres.Sql> {
    const { promise, resolve } = Promise.withResolvers<postgres.Sql>();
    this.#waiting.push(resolve);
    try {
      return await this.#whole.inTime(promise);
    } catch {
      const at = this.#waiting.indexOf(resolve);
      // It got one at the same moment.
      if (at < 0) return await promise;
      this.#waiting.splice(at, 1);
      throw new NotBegun(this.#deadline);
    }
  }

  /**
   * Resolves as the query does.
   *
   * @param limit rejects with `NoAnswer` if the connection may be dead
   */
  async #answer<T>(sql: postgres.Sql, query: Promise<T>, limit?: InTime): Promise<T> {
    try {
      const result = await (limit && this.#answered.has(sql) ? limit.inTime(query) : query);
      this.#answered.add(sql);
      return result;
    } catch (error) {
      if (!isLost(error)) this.#answered.add(sql);
      throw error;
    }
  }

  /**
   * Runs work that has a connection of its own.
   *
   * @param until when the caller stops waiting: nothing is committed later. Infinity: each statement may take any time
   * @throws {NotBegun} if no connection was free in time
   */
  async transaction<T>(work: (connection: Connection) => Promise<T>, until: number): Promise<T> {
    let sql = this.#free.pop() ?? await this.#turn();
    try {
      return await work(this.#connection(sql, until));
    } catch (error) {
      if (isLost(error)) sql = this.#replaced(sql, 1);
      throw error;
    } finally {
      const next = this.#waiting.shift();
      if (next) next(sql);
      else this.#free.push(sql);
    }
  }

  #connection(sql: postgres.Sql, until: number): Connection {
    return {
      lockMs: Math.floor(this.#deadline.ms / 3),
      run: (text, values) =>
        this.#answer(sql, queryOf(sql, text, values), until === Infinity ? undefined : this.#soon),
      commit: async (text) => {
        if (this.#deadline.clock.now() >= until) throw new NotBegun(this.#deadline);
        try {
          await this.#answer(sql, queryOf(sql, text), this.#whole);
        } catch (error) {
          if (!isLost(error)) throw error;
          throw new OutcomeUnknown(
            "the connection to the database was lost during a commit, which may have happened",
            { cause: error },
          );
        }
      },
    };
  }

  /** Reads rows, without a transaction. */
  async read(text: string, values: string[], until: number): Promise<Rows> {
    const reader = this.#reader;
    if (!reader) return await this.transaction(({ run }) => run(text, values), until);
    const rows = queryOf(reader, text, values);
    try {
      return await this.#answer(reader, rows, this.#soon);
    } catch (error) {
      const isSilent = error instanceof NoAnswer;
      // The first of several calls that fail together replaces it.
      if (isLost(error) && reader === this.#reader) {
        this.#reader = this.#replaced(reader, this.#readers, isSilent ? this.#silentMs : 0);
      }
      if (!isSilent) throw error;
      const again = this.#answer(this.#reader!, queryOf(this.#reader!, text, values), this.#whole);
      return await Promise.race([rows.catch(() => again), again.catch(() => rows)]);
    }
  }

  /** Ends all connections. What is called later rejects, and opens none. */
  async end(): Promise<void> {
    this.#isEnded = true;
    this.#soon.end();
    this.#whole.end();
    await Promise.all([...this.#all].map((sql) => sql.end({ timeout: 1 })));
  }
}

/** Sends a statement, or several without values. */
async function queryOf(sql: postgres.Sql, text: string, values: string[] = []): Promise<Rows> {
  return await sql.unsafe(text, values, { prepare: values.length > 0 });
}

/** The connection was lost while a commit was under way. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}

/** Returns the SQLSTATE of the server, or the code of the library or the system. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** Returns whether the connection ended, is silent, or is ended by the server, so that its work may have happened. */
export function isLost(error: unknown): boolean {
  return error instanceof OutcomeUnknown || error instanceof NoAnswer ||
    /^(CONNECTION_|CONNECT_|ECONN|EPIPE|ETIMEDOUT|ENOENT|57P0|08)/.test(codeOf(error) ?? "");
}
