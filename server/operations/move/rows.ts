import { createHash } from "node:crypto";
import { encodeKey } from "../../platform/kv/engines/key_codec.ts";
import { keys } from "../../platform/kv/keys.ts";
import { encode } from "../../platform/kv/portable_values.ts";
import { type Kv, type KvKey, KvU64 } from "../../platform/kv/port.ts";

/** A value as databases store it. */
export type Stored = Uint8Array | KvU64;

export interface Row {
  key: KvKey;
  /** The bytes of the key as text, which sorts as the keys do. */
  name: string;
  value: Stored;
}

const PAGE = 1_000;
/** The rows of a move itself, of processes, which register in the new database, and of their announcements. */
const NOT_MOVED: readonly unknown[] = [
  keys.move(),
  keys.moveProgress(),
  keys.moveChangeAll(),
  keys.family("process"),
  keys.changed(),
].map((key) => key[2]);

/** How fast a move reads: it rests after each page, so that visitors are served meanwhile. */
export interface Pace {
  /** Called after each page of rows. Rejects to stop. */
  rest(): Promise<void>;
}

export interface MoveProgress {
  step: "counted" | "copied" | "compared" | "copied again";
  rows: number;
  /** How many rows there are, as far as known. */
  of?: number | undefined;
}

/** Counts the rows of a database, by reading them if it can't in another way. */
export async function countRows(kv: Kv, pace: Pace, progress: (rows: number) => void): Promise<number> {
  if (kv.count) return await kv.count();
  let rows = 0;
  for await (const _ of rowsOf(kv, pace)) {
    if (++rows % PAGE === 0) progress(rows);
  }
  return rows;
}

export const nameOfKey = (key: KvKey): string => encodeKey(key).toString("latin1");

export const isMoved = (key: KvKey): boolean => !NOT_MOVED.includes(key[2]);

/** Lists all rows that are moved, in the order of their keys, as they are stored in every database. */
export async function* rowsOf(kv: Kv, pace: Pace, from?: KvKey): AsyncGenerator<Row> {
  const selector = { prefix: keys.all(), ...(from && { start: from }) };
  let count = 0;
  for await (const { key, value } of kv.list(selector, { batchSize: PAGE })) {
    if (isMoved(key)) yield { key, name: nameOfKey(key), value: storedOf(value) };
    if (++count % PAGE === 0) await pace.rest();
  }
}

/** Returns a value as it is stored; a row of an early version is in the runtime's own format until now. */
export function storedOf(value: unknown): Stored {
  return value instanceof Uint8Array ? value : encode(value);
}

/** A sum over rows that does not depend on their order, so that rows can be added and taken away. */
export class Checksum {
  rows = 0;
  #sum = 0n;

  add(hash: bigint): void {
    this.rows++;
    this.#sum = BigInt.asUintN(128, this.#sum + hash);
  }

  subtract(hash: bigint): void {
    this.rows--;
    this.#sum = BigInt.asUintN(128, this.#sum - hash);
  }

  toString(): string {
    return this.#sum.toString(16).padStart(32, "0");
  }
}

/** Returns 128 bits of the SHA-256 of a key with its value. */
export function hashOf(name: string, value: Stored): bigint {
  const isNumber = value instanceof KvU64;
  const digest = createHash("sha256").update(`${name.length}${isNumber ? "n" : "b"}${name}`, "latin1")
    .update(isNumber ? String(value.value) : value).digest();
  return digest.readBigUInt64BE(0) << 64n | digest.readBigUInt64BE(8);
}
