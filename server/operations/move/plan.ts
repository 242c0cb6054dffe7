import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import type { Gate } from "../../platform/kv/gate.ts";

/** A move can't be begun, or can't go on as asked. Nothing was changed. */
export class MoveRefused extends Error {
  override readonly name = "MoveRefused";
}

/** What a move finds: the gates of both databases, and whether the new one has rows. */
export interface Found {
  source: Gate | undefined;
  target: Gate | undefined;
  targetIsEmpty: boolean;
  /** The new database, for people. */
  to: string;
}

/** `begin`: nothing was copied yet. `resume`: a move was interrupted. `finish`: only the new database must be opened. */
export type Plan = "begin" | "resume" | "finish" | "done";

/**
 * Returns what a move has to do. Pure.
 *
 * @throws {MoveRefused} if the new database has other rows, or the data goes or went somewhere else
 */
export function planMove({ source, target, targetIsEmpty, to }: Found): Plan {
  if (source?.phase === "receiving") {
    throw new MoveRefused(
      "This database is incomplete, because a move to it was not finished. Finish that move first.",
    );
  }
  const isOurs = source !== undefined && target?.phase === "receiving" && target.id === source.id;
  if (source?.phase === "moved") {
    if (isOurs) return "finish";
    if (source.to === to && target === undefined && !targetIsEmpty) return "done";
    throw new MoveRefused(`The data has already moved to ${source.to}. Set CFBE_KV to that database.`);
  }
  if (source && source.to !== to) {
    throw new MoveRefused(
      `A move to ${source.to} has begun. Go on with it, or cancel it with \`${cfbeCommand()} database cancel-move\`.`,
    );
  }
  if (isOurs) return "resume";
  if (target?.phase === "receiving") {
    throw new MoveRefused(
      `${to} contains the unfinished move of another database. Empty it, or choose another one.`,
    );
  }
  if (target || !targetIsEmpty) {
    throw new MoveRefused(`${to} is not empty. Choose an empty database, because a move replaces nothing.`);
  }
  return source ? "resume" : "begin";
}
