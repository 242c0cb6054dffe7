import type { Clock } from "../../platform/deps.ts";
import { keys } from "../../platform/kv/keys.ts";
import { applyChanges } from "./changes.ts";
import { changesOf } from "./catch_up.ts";
import type { Comparison } from "./compare.ts";
import type { Side } from "./sides.ts";
import { createWriter } from "./write.ts";

export interface MoveResult {
  rows: number;
  /** Of all rows, the same in both databases. */
  checksum: string;
  /** How long commits were refused, in milliseconds. */
  closedMs: number;
}

/** The copy differs from the old database, which goes on as before. */
export class CopyDiffers extends Error {
  override readonly name = "CopyDiffers";
}

/** If the database was closed for so long, it opens again before the next try. In milliseconds. */
const MOST_CLOSED_MS = 2_000;

/**
 * Closes the old database, copies and compares the last changes, declares it moved and opens the new one. After an error
 * the old database is open again, unless this process can't reach it.
 *
 * @returns undefined if there were too many changes: the old database is open again
 * @throws {CopyDiffers} if the checksums differ although nothing changes any more
 */
export async function closeAndMove(
  source: Side,
  target: Side,
  comparison: Comparison,
  clock: Clock,
): Promise<MoveResult | undefined> {
  const { row } = source.gate;
  const closedAt = clock.now();
  try {
    await source.setGate({ ...row!, phase: "closing" });
    const isDone = await applyRest(source, target, comparison, () => clock.now() - closedAt < MOST_CLOSED_MS);
    if (!isDone) {
      await source.setGate(row);
      return undefined;
    }
    requireEqual(comparison);
    await declareMoved(source);
  } catch (error) {
    await reopen(source).catch(() => {});
    throw error;
  }
  await finish(target);
  const { rows } = comparison.target;
  return { rows, checksum: comparison.target.toString(), closedMs: clock.now() - closedAt };
}

/** Copies until there is no change left. @returns false if that takes too long */
async function applyRest(
  source: Side,
  target: Side,
  comparison: Comparison,
  isInTime: () => boolean,
): Promise<boolean> {
  while (isInTime()) {
    const { notes, rows, many } = await applyChanges(changesOf(source, target, comparison));
    if (many) return false;
    if (notes === 0 && rows === 0) return isInTime();
  }
  return false;
}

function requireEqual({ source, target, different }: Comparison): void {
  if (different.size === 0 && source.rows === target.rows && String(source) === String(target)) return;
  throw new CopyDiffers(
    `The copy differs from the old database: ${source.rows} rows with the checksum ${source}, ` +
      `and ${target.rows} rows with the checksum ${target}.`,
  );
}

/** From this commit on, the new database is the one with the data. */
async function declareMoved(source: Side): Promise<void> {
  const moved = { ...source.gate.row!, phase: "moved" as const };
  try {
    await source.setGate(moved);
  } catch (error) {
    // The response may be lost, and the commit made.
    const { row } = await source.readGate();
    if (row?.phase !== "moved") throw error;
  }
}

/** Opens the old database again, unless it was declared moved or another call owns it. */
async function reopen(source: Side): Promise<void> {
  const { row } = await source.readGate();
  if (row?.phase === "closing") await source.setGate({ ...row, phase: "copying" });
}

/** Opens the new database, after the old one was declared moved. Changes nothing if another process has done so. */
export async function finish(target: Side): Promise<void> {
  if (target.gate.row?.phase !== "receiving") return;
  const writer = createWriter(target.kv, target.gate.check);
  await writer.add({ type: "delete", key: keys.moveProgress() });
  await writer.flush();
  await target.setGate(undefined);
}
