import type { Moved, PlannedMove } from "../../operations/move/moves.ts";
import type { MoveProgress } from "../../operations/move/rows.ts";
import type { PollReport } from "../../signup/confirm/poll.ts";
import type { QueryInput, QueryName, QueryResult } from "../../operations/remote/queries.ts";

/** What commands need, from a running service or from the database. */
export interface Service extends AsyncDisposable {
  /** URL of the running service; undefined if the database was opened directly. */
  address: string | undefined;
  /** If the database was opened directly: which one, in a sentence for the user. */
  notice?: string;
  /** Runs a query. @throws {ClientError} if the input is invalid or the service fails */
  query<Q extends QueryName>(name: Q, input: QueryInput<Q>): Promise<QueryResult<Q>>;
  /**
   * Runs an action of the admin.
   *
   * @returns its message, and its data for scripts
   * @throws {ClientError} if it is rejected
   */
  act<T = unknown>(
    action: `cfbe_${string}`,
    input: Record<string, unknown>,
  ): Promise<{ message: string; data: T }>;
  poll(progress: (report: PollReport) => void): Promise<PollReport>;
  /** Streams a backup. */
  backup(): Promise<ReadableStream<Uint8Array>>;
  /**
   * Moves the database to another one.
   *
   * @throws {ClientError} if the move is refused or stops
   */
  moveDatabase(to: string, progress: (progress: MoveProgress) => void): Promise<Moved>;
  /** @throws {ClientError} with what prevents the move */
  planDatabaseMove(to: string): Promise<PlannedMove>;
  /** @throws {ClientError} if no move can be canceled */
  cancelDatabaseMove(): Promise<{ to: string; emptied: boolean }>;
}
