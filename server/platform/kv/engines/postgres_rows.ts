import { type KvEntry, type KvKey, type KvListSelector, KvU64 } from "../port.ts";
import { decodeKey, encodeKey } from "./key_codec.ts";
import type { StoredRow } from "./postgres_pool.ts";

/** How rows are stored and read: a value is a kind and its bytes, a version a number of the sequence. */

export const VISIBLE = "(expires IS NULL OR expires > now())";
/** Lists are sent as hexadecimal digits with commas, which needs no knowledge of the server's array types. */
export const READ = "SELECT key, value, version::text FROM cfbe_rows WHERE " +
  `key = ANY(ARRAY(SELECT decode(k, 'hex') FROM unnest(string_to_array($1, ',')) AS k)) AND ${VISIBLE}`;

/** How a stored value begins. */
export const KINDS = { bytes: 0, u64: 1 } as const;

/** Where a list begins and ends, in hexadecimal digits. */
interface Range {
  start: string;
  end: string;
}

export function rangeOf(selector: KvListSelector): Range {
  const prefix = "prefix" in selector ? hexOf(selector.prefix) : "";
  const start = "start" in selector ? hexOf(selector.start) : `${prefix}00`;
  const end = "end" in selector ? hexOf(selector.end) : `${prefix}ff`;
  return { start, end };
}

/** Returns the statement that reads a page. Its values are the ends of its range, and how many rows it has at most. */
export const pageStatement = (reverse: boolean): string =>
  `SELECT key, value, version::text FROM cfbe_rows WHERE key >= decode($1, 'hex') AND ` +
  `key < decode($2, 'hex') AND ${VISIBLE} ORDER BY key ${reverse ? "DESC" : "ASC"} LIMIT $3::bigint`;

export function entryOf({ key, value, version }: StoredRow): KvEntry<unknown> {
  return {
    key: decodeKey(key),
    value: value[0] === KINDS.u64 ? new KvU64(numberOf(value)) : new Uint8Array(value.subarray(1)),
    versionstamp: stampOf(version),
  };
}

export function numberOf(value: Uint8Array): bigint {
  if (value[0] !== KINDS.u64) throw new TypeError("a row to sum up is no number");
  return new DataView(value.buffer, value.byteOffset).getBigUint64(1);
}

export function stored(value: unknown): Uint8Array {
  const bytes = new Uint8Array(value instanceof KvU64 ? 9 : (value as Uint8Array).length + 1);
  if (value instanceof KvU64) {
    bytes[0] = KINDS.u64;
    new DataView(bytes.buffer).setBigUint64(1, value.value);
  } else if (value instanceof Uint8Array) bytes.set(value, 1);
  else throw new TypeError("PostgreSQL stores bytes and numbers; see `withPortableValues`");
  return bytes;
}

export function stampOf(version: string): string {
  return version.padStart(20, "0");
}

export function hexOf(key: KvKey): string {
  return encodeKey(key).toString("hex");
}
