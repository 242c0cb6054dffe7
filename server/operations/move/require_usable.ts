import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { StartError } from "../../platform/config/start_error.ts";
import type { Clock } from "../../platform/deps.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { unseal } from "../../platform/keys/seal.ts";
import type { Gate } from "../../platform/kv/gate.ts";
import { DatabaseInUse, type OpenedKv } from "../../platform/kv/open.ts";
import { finish } from "./close.ts";
import { CLOSED_TOO_LONG_MS } from "./moves.ts";
import { openSide } from "./sides.ts";
import { MoveLost } from "./write.ts";

/** The data is in another database, or this one does not have all of it. */
class DatabaseMovedAway extends StartError {
  override readonly name = "DatabaseMovedAway";
}

interface Deps {
  /** A clock that is never set. */
  clock: Clock;
  open: (address: string) => Promise<OpenedKv>;
  keyring: () => Promise<Keyring>;
}

const LOOK_AGAIN_MS = 500;

/**
 * Checks that the data has not moved away. Ends what a process has left behind that died during a move: opens a database
 * that it has closed, or the new database if the old one was declared moved.
 *
 * @throws {DatabaseMovedAway}
 */
export async function requireUsable(
  database: Pick<OpenedKv, "raw" | "exclusive">,
  deps: Deps,
): Promise<void> {
  const { clock } = deps;
  const side = await openSide(database.raw);
  const since = clock.now();
  while (side.gate.row?.phase === "closing") {
    // With a file of its own, the process that closed it has died.
    if (database.exclusive || clock.now() - since >= CLOSED_TOO_LONG_MS) {
      await side.setGate({ ...side.gate.row, phase: "copying" }).catch(unlessLost);
    } else await clock.sleep(LOOK_AGAIN_MS);
    await side.readGate();
  }
  const { row } = side.gate;
  if (row?.phase === "moved") await finishElsewhere(row, deps);
  if (row && row.phase !== "copying") throw new DatabaseMovedAway(textOf(row));
}

/** Another process was faster. */
function unlessLost(error: unknown): void {
  if (!(error instanceof MoveLost)) throw error;
}

/** @throws {StartError} if the new database can't be opened */
async function finishElsewhere(gate: Gate, { open, keyring }: Deps): Promise<void> {
  const address = await unseal(await keyring(), gate.sealed);
  if (address === undefined) return;
  let target: OpenedKv;
  try {
    target = await open(address);
  } catch (error) {
    // A process uses it, so it is complete.
    if (error instanceof DatabaseInUse) return;
    throw error;
  }
  try {
    const side = await openSide(target.raw);
    if (side.gate.row?.id === gate.id) await finish(side).catch(unlessLost);
  } finally {
    await target.close();
  }
}

function textOf({ phase, to }: Gate): string {
  if (phase === "moved") {
    return `The data of this database has moved to ${to}, and only that database is up to date. Set CFBE_KV to it.`;
  }
  return "This database is incomplete, because a move to it was not finished. Set CFBE_KV to the old database and run " +
    `\`${cfbeCommand()} database move --to ${to}\` again. To give up the move, run ` +
    `\`${cfbeCommand()} database cancel-move\` there.`;
}
