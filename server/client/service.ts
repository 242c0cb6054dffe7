import type { PollReport } from "../confirm/poll.ts";
import type { QueryInput, QueryName, QueryResult } from "../ops/queries.ts";

/** What commands ask for, wherever it is answered. */
export interface Service extends AsyncDisposable {
  /** Where it answers; undefined when the database was opened here. */
  address: string | undefined;
  /** @throws {CliError} when it can't be answered as it was asked */
  ask<Q extends QueryName>(query: Q, input: QueryInput<Q>): Promise<QueryResult<Q>>;
  /**
   * Do one action of the admin's table.
   * @returns its sentence, and what it has for scripts
   * @throws {CliError} when it is refused
   */
  act<T = unknown>(
    action: `cfbe_${string}`,
    input: Record<string, unknown>,
  ): Promise<{ message: string; data: T }>;
  poll(progress: (report: PollReport) => void): Promise<PollReport>;
  /** A backup as it comes. */
  backup(): Promise<ReadableStream<Uint8Array>>;
}
