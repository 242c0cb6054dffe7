import { Buffer } from "node:buffer";
import {
  type AtomicCheck,
  type Kv,
  type KvKey,
  type KvKeyPart,
  type KvLimits,
  type KvMutation,
  KvU64,
  type OperationSize,
} from "./port.ts";
import { wrap } from "./wrap.ts";

/** What Deno accepts in a file or in memory (`ext/kv/config.rs` of Deno 2.9), and PostgreSQL likewise. */
export const MOST_LIMITS: KvLimits = {
  checks: 100,
  mutations: 1_000,
  keyBytes: 80 * 1_024,
  bytes: 800 * 1_024,
  keySize: 2_048,
  valueSize: 65_536,
  keysPerRead: 10,
};

/** What `withGate` adds to an operation: a check, and a row of any size that tells a move what has changed. */
const GATE = { checks: 1, mutations: 1, keyBytes: 256, bytes: 66 * 1_024 };

/** Limits of a database in a file, in memory or in PostgreSQL. */
export const EMBEDDED_LIMITS: KvLimits = {
  ...MOST_LIMITS,
  checks: MOST_LIMITS.checks - GATE.checks,
  mutations: MOST_LIMITS.mutations - GATE.mutations,
  keyBytes: MOST_LIMITS.keyBytes - GATE.keyBytes,
  bytes: MOST_LIMITS.bytes - GATE.bytes,
};

/**
 * Limits over KV Connect and on Deno Deploy: those of Deno, which checks every operation before it sends it, and the
 * server's own, 10 checks (`limits.rs` of denokv_proto 0.14).
 */
export const REMOTE_LIMITS: KvLimits = { ...EMBEDDED_LIMITS, checks: 10 - GATE.checks };

/** Returns the same database with other limits. */
export function withLimits(kv: Kv, limits: KvLimits): Kv {
  return wrap(kv, { engine: { ...kv.engine, limits } });
}

const NO_SIZE: OperationSize = { checks: 0, mutations: 0, keyBytes: 0, bytes: 0, keySize: 0, valueSize: 0 };
const SIZES = Object.keys(NO_SIZE) as (keyof OperationSize)[];

/** Returns the size of an operation. Values are those that are stored, or that `withPortableValues` will encode. */
export function sizeOf(
  { checks = [], mutations = [] }: {
    checks?: readonly Pick<AtomicCheck, "key">[];
    mutations?: readonly KvMutation[];
  },
): OperationSize {
  const size = { ...NO_SIZE, checks: checks.length, mutations: mutations.length };
  const addKey = (key: KvKey) => {
    const bytes = keySize(key);
    size.bytes += bytes;
    size.keySize = Math.max(size.keySize, bytes);
    return bytes;
  };
  for (const { key } of checks) addKey(key);
  for (const mutation of mutations) {
    const keyBytes = addKey(mutation.key);
    if (mutation.type === "delete") continue;
    const valueBytes = valueSize(mutation.value);
    size.keyBytes += keyBytes;
    // The engine counts the keys of values twice.
    size.bytes += keyBytes + valueBytes;
    size.valueSize = Math.max(size.valueSize, valueBytes);
  }
  return size;
}

/** Returns the size of both operations in one. */
export function together(a: OperationSize, b: OperationSize): OperationSize {
  return {
    checks: a.checks + b.checks,
    mutations: a.mutations + b.mutations,
    keyBytes: a.keyBytes + b.keyBytes,
    bytes: a.bytes + b.bytes,
    keySize: Math.max(a.keySize, b.keySize),
    valueSize: Math.max(a.valueSize, b.valueSize),
  };
}

/** Returns whether an operation of this size can be committed. */
export function fits(size: OperationSize, limits: KvLimits): boolean {
  return SIZES.every((name) => size[name] <= limits[name]);
}

/** @throws {TypeError} if an operation of this size is above a limit, with what the limit counts */
export function requireFits(size: OperationSize, limits: KvLimits): void {
  for (const name of SIZES) requireBelow(name, size[name], limits);
}

/** What each limit counts. */
const COUNTED: Record<keyof KvLimits, string> = {
  checks: "checks in an operation",
  mutations: "mutations in an operation",
  keyBytes: "bytes of written keys in an operation",
  bytes: "bytes in an operation",
  keySize: "bytes in a key",
  valueSize: "bytes in a value",
  keysPerRead: "keys in a read",
};

/** @throws {TypeError} if `used` is above the limit of this name, with what the limit counts */
export function requireBelow(name: keyof KvLimits, used: number, limits: KvLimits): void {
  if (used > limits[name]) throw new TypeError(`Too many ${COUNTED[name]}: ${used} (max ${limits[name]})`);
}

/** Returns the size of an encoded key. */
export function keySize(key: KvKey): number {
  let size = 0;
  for (const part of key) size += partSize(part);
  return size;
}

function partSize(part: KvKeyPart): number {
  // A zero byte is encoded in two.
  if (typeof part === "string") return textSize(part) + 2;
  if (part instanceof Uint8Array) return part.length + part.filter((byte) => byte === 0).length + 2;
  if (typeof part === "bigint") return bigintSize(part);
  return typeof part === "boolean" ? 1 : 9;
}

/** Short texts of ASCII characters are measured here, because `Buffer.byteLength` is a call into the runtime. */
function textSize(text: string): number {
  let size = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0) size++;
    else if (code > 0x7f) return Buffer.byteLength(text) + text.split("\0").length - 1;
  }
  return size;
}

function bigintSize(part: bigint): number {
  if (part === 0n) return 1;
  const size = Math.ceil((part < 0n ? -part : part).toString(16).length / 2);
  return size + (size > 8 ? 2 : 1);
}

/** Returns the size of a stored value: bytes as they are, and anything else as JSON. */
export function valueSize(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof KvU64) return 8;
  return Buffer.byteLength(JSON.stringify(value));
}

/**
 * Returns whether an error says that an operation was refused for what it contains, so that nothing was written. After
 * any other error, it may have been.
 */
export function isRefused(error: unknown): boolean {
  return error instanceof Error &&
    /^Too many |^Total (key|mutation) size too large|^(Key|Value) too large|^expected string, number, bigint|\(status=4(00|13) /
      .test(
        error.message,
      );
}
