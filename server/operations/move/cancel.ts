import type { Gate } from "../../platform/kv/gate.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { OpenedKv } from "../../platform/kv/open.ts";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import { MoveRefused } from "./plan.ts";
import { openSide, type Side } from "./sides.ts";
import { createWriter } from "./write.ts";

/**
 * Cancels a move that has begun. A command that runs it stops. Empties the new database, if it can be reached.
 *
 * @param openTarget opens the new database; undefined if that fails
 * @throws {MoveRefused} if there is none, or the data has moved already
 */
export async function cancelMove(
  kv: Kv,
  openTarget: (gate: Gate) => Promise<OpenedKv | undefined>,
): Promise<{ to: string; emptied: boolean }> {
  const source = await openSide(kv);
  const { row } = source.gate;
  if (!row || row.phase === "receiving") throw new MoveRefused("No move of this database has begun.");
  if (row.phase === "moved") {
    throw new MoveRefused(
      `The data has already moved to ${row.to}. To move it back, start cfbe with that database, and move it to an empty one.`,
    );
  }
  // Whoever runs the move owns the gate no longer.
  await source.setGate({ ...row, phase: "copying" });
  const target = await openTarget(row);
  try {
    const side = target && await openSide(target.raw).catch(() => undefined);
    const emptied = side !== undefined && await empty(side, row);
    await deleteRows(source, keys.moveChangeAll());
    await source.setGate(undefined);
    // Noted by commits that were made at the same time.
    await deleteRows(source, keys.moveChangeAll());
    return { to: row.to, emptied };
  } finally {
    await target?.close();
  }
}

/** Deletes what a move has copied. @returns false if that fails, or the rows are others */
async function empty(target: Side, { id }: Gate): Promise<boolean> {
  const { row } = target.gate;
  if (row?.phase !== "receiving" || row.id !== id) return row === undefined;
  try {
    // First, because an interrupted move would go on after rows that are no longer there.
    await target.setGate(row);
    const progress = createWriter(target.kv, target.gate.check);
    await progress.add({ type: "delete", key: keys.moveProgress() });
    await progress.flush();
    await deleteRows(target, keys.all());
    await target.setGate(undefined);
    return true;
  } catch {
    return false;
  }
}

async function deleteRows({ kv, gate }: Side, prefix: KvKey): Promise<void> {
  const writer = createWriter(kv, gate.check);
  for await (const { key } of kv.list({ prefix }, { batchSize: 1_000 })) {
    if (key[2] !== keys.move()[2]) await writer.add({ type: "delete", key });
  }
  await writer.flush();
}
