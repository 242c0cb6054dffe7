import type { Clock } from "../../platform/deps.ts";
import { gateOf } from "../../platform/kv/gate.ts";
import { keys } from "../../platform/kv/keys.ts";
import { keySize } from "../../platform/kv/limits.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { isEmpty } from "./move.ts";
import { planMove } from "./plan.ts";
import { countRows, hashOf, rowsOf } from "./rows.ts";

/** What a move would do. */
export interface DryRun {
  rows: number;
  /** Bytes of all keys and values, by the first thousands of them. */
  bytes: number;
  /** How long it would take, in seconds. A guess by the speed of reading. */
  seconds: number;
  /** A move to this database was interrupted, and the command would go on with it. */
  goesOn: boolean;
}

const SAMPLE = 5_000;
/**
 * Reading and hashing a row is so small a part of moving it: writing takes two thirds of the rest, and comparing one third
 * (measured from a file to PostgreSQL on the same machine).
 */
const READS_PER_ROW = 5;
const ROWS_PER_COMMIT = 900;
const TRIPS_PER_COMMIT = 3;
const TRIPS = 10;

/**
 * Returns what a move would do. Reads both databases, and writes nothing.
 *
 * @param target undefined: a file that does not exist yet
 * @throws {MoveRefused} if the move would be refused
 */
export async function dryRun(
  source: Kv,
  target: Kv | undefined,
  { to, clock, rest }: { to: string; clock: Clock; rest: number },
): Promise<DryRun> {
  const plan = planMove({
    source: gateOf(await source.get(keys.move())).row,
    target: target && gateOf(await target.get(keys.move())).row,
    targetIsEmpty: target === undefined || await isEmpty(target),
    to,
  });
  const isOver = plan === "finish" || plan === "done";
  const pace = { rest: () => clock.sleep(0) };
  const rows = isOver ? 0 : await countRows(source, pace, () => {});
  const sample = await readSample(source, clock);
  const tripMs = target === undefined ? 0 : await tripOf(target, clock);
  const perRowMs = sample.msPerRow * READS_PER_ROW * (1 + rest) + tripMs * TRIPS_PER_COMMIT / ROWS_PER_COMMIT;
  return {
    rows,
    bytes: Math.round(rows * sample.bytesPerRow),
    seconds: Math.ceil(rows * perRowMs / 1_000),
    goesOn: plan !== "begin",
  };
}

async function readSample(kv: Kv, clock: Clock): Promise<{ msPerRow: number; bytesPerRow: number }> {
  const begun = clock.now();
  let [rows, bytes] = [0, 0];
  for await (const { key, name, value } of rowsOf(kv, { rest: () => Promise.resolve() })) {
    hashOf(name, value);
    bytes += keySize(key) + (value instanceof Uint8Array ? value.length : 8);
    if (++rows === SAMPLE) break;
  }
  return { msPerRow: (clock.now() - begun) / Math.max(1, rows), bytesPerRow: bytes / Math.max(1, rows) };
}

async function tripOf(kv: Kv, clock: Clock): Promise<number> {
  const begun = clock.now();
  for (let trip = 0; trip < TRIPS; trip++) await kv.get(keys.move());
  return (clock.now() - begun) / TRIPS;
}
