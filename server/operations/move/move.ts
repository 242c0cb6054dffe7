import { Buffer } from "node:buffer";
import type { Clock } from "../../platform/deps.ts";
import { decodeKey, encodeKey } from "../../platform/kv/engines/key_codec.ts";
import type { Gate } from "../../platform/kv/gate.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import { encode } from "../../platform/kv/portable_values.ts";
import { catchUp } from "./catch_up.ts";
import { closeAndMove, finish, type MoveResult } from "./close.ts";
import { countRows, type MoveProgress, type Pace, rowsOf } from "./rows.ts";
import { MoveRefused, planMove } from "./plan.ts";
import { asTarget, openSide, type Side } from "./sides.ts";
import { copyOf, createWriter } from "./write.ts";

export interface MoveOptions {
  /** The databases with values as they are stored (`OpenedKv.raw`). */
  source: Kv;
  target: Kv;
  /** The gate that a move begins with. */
  begin: Omit<Gate, "v" | "phase">;
  /** A clock that is never set. */
  clock: Clock;
  /** How long to rest after each page of rows, in relation to the time it took. */
  rest: number;
  signal?: AbortSignal | undefined;
  progress?: (progress: MoveProgress) => void;
}

/** The database changes faster than it can be copied. It goes on as before. */
export class TooManyChanges extends Error {
  override readonly name = "TooManyChanges";
}

const TRIES = 5;
const MOST_REST_MS = 50;

/**
 * Moves a database into another one while it is used (decision 56).
 *
 * 1. Every commit notes the rows that it changes (`gate.ts`), and all rows are copied.
 * 2. What has changed meanwhile is copied again, and all rows of both databases are compared. What changes during that is
 *    copied and compared again, until little is left.
 * 3. Commits are refused. The rest is copied and compared. If the checksums are equal, one commit in the old database
 *    declares it moved; until then, it would go on.
 * 4. The new database is opened.
 *
 * A process may end anywhere: a later call goes on. Only one call at a time can own the gates, so that one that slept
 * writes nothing later.
 *
 * @returns undefined if the move was complete already
 * @throws {MoveRefused} if the databases do not fit; nothing was changed
 * @throws {MoveLost} if another call has taken over
 * @throws {TargetFailed} if the new database fails
 */
export async function moveDatabase(options: MoveOptions): Promise<MoveResult | undefined> {
  const { begin, signal } = options;
  const source = await openSide(options.source);
  const target = await openSide(asTarget(options.target, begin.to));
  const plan = planMove({
    source: source.gate.row,
    target: target.gate.row,
    targetIsEmpty: await isEmpty(target.kv),
    to: begin.to,
  });
  if (plan === "done") return undefined;
  if (plan === "finish") {
    await finish(target);
    return undefined;
  }
  await takeOver(source, target, begin);
  const pace = paceOf(options);
  const { progress = () => {} } = options;
  const of = await copyAll(source, target, pace, progress);
  for (let tries = 1; tries <= TRIES; tries++) {
    const comparison = await catchUp(source, target, pace, (seen) => progress({ of, ...seen }));
    signal?.throwIfAborted();
    const result = await closeAndMove(source, target, comparison, options.clock);
    if (result) return result;
  }
  throw new TooManyChanges(
    "The database changes faster than it can be copied. Try again when there is less traffic.",
  );
}

/** Returns whether a database has no rows but those of a move. */
export async function isEmpty(kv: Kv): Promise<boolean> {
  for await (const { key } of kv.list({ prefix: keys.all() }, { limit: 2 })) {
    if (key[2] !== keys.move()[2]) return false;
  }
  return true;
}

/** Makes this call the owner of both gates. */
async function takeOver(source: Side, target: Side, begin: MoveOptions["begin"]): Promise<void> {
  const isNew = source.gate.row === undefined;
  const row: Gate = { ...(source.gate.row ?? { ...begin, v: 1 }), phase: "copying" };
  await source.setGate(row);
  try {
    const wasOurs = target.gate.row !== undefined;
    await target.setGate({ ...row, phase: "receiving" });
    // Nothing else is written now; somebody may have written since it was found to be empty.
    if (!wasOurs && !await isEmpty(target.kv)) {
      await target.setGate(undefined);
      throw new MoveRefused(`${begin.to} is used by another program.`);
    }
  } catch (error) {
    if (isNew) await source.setGate(undefined).catch(() => {});
    throw error;
  }
}

function paceOf({ clock, rest, signal }: MoveOptions): Pace {
  let since = clock.now();
  return {
    async rest() {
      signal?.throwIfAborted();
      if (rest > 0) await clock.sleep(Math.min(MOST_REST_MS, rest * (clock.now() - since)), signal);
      since = clock.now();
    },
  };
}

interface ProgressRow {
  /** The bytes of the last key that was copied, in base64. */
  after: string;
  rows: number;
  of: number;
}

/** Copies all rows, from where an earlier call was interrupted. @returns how many there are */
async function copyAll(
  source: Side,
  target: Side,
  pace: Pace,
  progress: (progress: MoveProgress) => void,
): Promise<number> {
  const { value } = await target.kv.get<Uint8Array>(keys.moveProgress());
  const copied: ProgressRow | undefined = value ? JSON.parse(new TextDecoder().decode(value)) : undefined;
  const of = copied?.of ?? await countRows(source.kv, pace, (rows) => progress({ step: "counted", rows }));
  let rows = copied?.rows ?? 0;
  let last: KvKey | undefined;
  const writer = createWriter(target.kv, target.gate.check, (tx) => {
    if (!last) return;
    const after = encodeKey(last).toString("base64");
    tx.set(keys.moveProgress(), encode({ after, rows, of } satisfies ProgressRow));
  });
  const from = copied && decodeKey(Buffer.from(copied.after, "base64"));
  for await (const { key, value } of rowsOf(source.kv, pace, from)) {
    await writer.add(copyOf(key, value));
    last = key;
    if (++rows % 1_000 === 0) progress({ step: "copied", rows, of });
  }
  await writer.flush();
  return of;
}
