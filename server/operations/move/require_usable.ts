import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { StartError } from "../../platform/config/start_error.ts";
import type { Clock } from "../../platform/deps.ts";
import type { Gate } from "../../platform/kv/gate.ts";
import type { OpenedKv } from "../../platform/kv/open.ts";
import { CLOSED_TOO_LONG_MS } from "./moves.ts";
import { openSide } from "./sides.ts";
import { MoveLost } from "./write.ts";

/** The data is in another database, or this one does not have all of it. */
class DatabaseMovedAway extends StartError {
  override readonly name = "DatabaseMovedAway";
}

const LOOK_AGAIN_MS = 500;

/**
 * Checks that the data has not moved away, and opens a database that a process left closed when it died during a move.
 *
 * @throws {DatabaseMovedAway}
 */
export async function requireUsable(
  database: Pick<OpenedKv, "raw" | "exclusive">,
  clock: Clock,
): Promise<void> {
  const side = await openSide(database.raw);
  const since = clock.now();
  while (side.gate.row?.phase === "closing") {
    // With a file of its own, the process that closed it has died.
    if (database.exclusive || clock.now() - since >= CLOSED_TOO_LONG_MS) {
      await side.setGate({ ...side.gate.row, phase: "copying" }).catch(unlessLost);
      await side.readGate();
    } else {
      await clock.sleep(LOOK_AGAIN_MS);
      await side.readGate();
    }
  }
  const { row } = side.gate;
  if (row && row.phase !== "copying") throw new DatabaseMovedAway(textOf(row));
}

/** Another process was faster. */
function unlessLost(error: unknown): void {
  if (!(error instanceof MoveLost)) throw error;
}

function textOf({ phase, to }: Gate): string {
  if (phase === "moved") {
    return `The data of this database has moved to ${to}, and only that database is up to date. Set CFBE_KV to it.`;
  }
  return "This database is incomplete, because a move to it was not finished. Set CFBE_KV to the old database and run " +
    `\`${cfbeCommand()} database move --to ${to}\` again. To give up the move, run \`${cfbeCommand()} database cancel-move\` there.`;
}
