import { Buffer } from "node:buffer";
import type { KvKey, KvKeyPart } from "../port.ts";

/**
 * Keys as bytes that sort as the keys do: the tuple encoding of FoundationDB, in the version of Deno KV (`codec.rs` of
 * denokv_proto 0.14).
 */
const BYTES = 0x01;
const TEXT = 0x02;
const ZERO = 0x14;
const MOST_BYTES = 8;
const DOUBLE = 0x21;
const FALSE = 0x26;
const TRUE = 0x27;
const END = 0x00;
/** After an `END`, says that it is a byte of the part. */
const ESCAPE = 0xff;

/** Where a key is encoded before its bytes are copied, because each small buffer costs more than the bytes in it. */
let scratch = Buffer.alloc(4_096);

/** Returns the bytes of a key. @throws {TypeError} for a part of another type */
export function encodeKey(key: KvKey): Buffer {
  let at = 0;
  for (const part of key) at = encodePart(part, at);
  return Buffer.from(scratch.subarray(0, at));
}

/** Writes a part to `scratch`. @returns where the next one begins */
function encodePart(part: KvKeyPart, at: number): number {
  if (typeof part === "string") return encodeText(part, at);
  if (part instanceof Uint8Array) return encodeBytes(BYTES, part, at);
  if (typeof part === "number") return encodeDouble(part, at);
  if (typeof part === "bigint") return copyOf(integerOf(part), at);
  if (typeof part === "boolean") return copyOf([part ? TRUE : FALSE], at);
  throw new TypeError("expected string, number, bigint, boolean or bytes in a key");
}

function reserve(bytes: number): void {
  if (bytes <= scratch.length) return;
  const larger = Buffer.alloc(2 * bytes);
  scratch.copy(larger);
  scratch = larger;
}

function copyOf(bytes: ArrayLike<number>, at: number): number {
  reserve(at + bytes.length);
  scratch.set(bytes, at);
  return at + bytes.length;
}

/** Most texts have ASCII characters only, which are written here, because the encoder is a call into the runtime. */
function encodeText(text: string, begin: number): number {
  reserve(begin + text.length + 2);
  scratch[begin] = TEXT;
  let at = begin + 1;
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n);
    if (code === END || code > 0x7f) return encodeBytes(TEXT, Buffer.from(text), begin);
    scratch[at++] = code;
  }
  scratch[at++] = END;
  return at;
}

function encodeBytes(kind: number, bytes: Uint8Array, begin: number): number {
  reserve(begin + 2 * bytes.length + 2);
  scratch[begin] = kind;
  let at = begin + 1;
  for (const byte of bytes) {
    scratch[at++] = byte;
    if (byte === END) scratch[at++] = ESCAPE;
  }
  scratch[at++] = END;
  return at;
}

/** Positive numbers get their sign bit set and negative ones all bits flipped, so that the bytes sort as the numbers. */
function encodeDouble(value: number, at: number): number {
  reserve(at + 9);
  scratch[at] = DOUBLE;
  scratch.writeDoubleBE(value, at + 1);
  if (scratch[at + 1]! < 0x80) scratch[at + 1]! |= 0x80;
  else for (let n = at + 1; n < at + 9; n++) scratch[n] = ~scratch[n]!;
  return at + 9;
}

/** A negative integer is stored as its distance from the smallest one of the same length. */
function integerOf(value: bigint): Uint8Array {
  if (value === 0n) return Uint8Array.of(ZERO);
  const size = byteLength(value < 0n ? -value : value);
  if (size > 255) throw new TypeError("an integer in a key is too large");
  const stored = value < 0n ? (1n << BigInt(8 * size)) - 1n + value : value;
  const digits = Buffer.from(stored.toString(16).padStart(2 * size, "0"), "hex");
  const sign = value < 0n ? -1 : 1;
  if (size <= MOST_BYTES) return Buffer.concat([Uint8Array.of(ZERO + sign * size), digits]);
  const length = sign < 0 ? ~size & 0xff : size;
  return Buffer.concat([Uint8Array.of(ZERO + sign * (MOST_BYTES + 1), length), digits]);
}

function byteLength(value: bigint): number {
  return Math.ceil(value.toString(16).length / 2);
}

/** Returns the key of its bytes. */
export function decodeKey(bytes: Uint8Array): KvKeyPart[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: KvKeyPart[] = [];
  let at = 0;
  while (at < bytes.length) {
    const kind = bytes[at++]!;
    if (kind === BYTES || kind === TEXT) {
      const end = endOfPart(bytes, at);
      const part = unescaped(bytes, at, end);
      parts.push(kind === TEXT ? part.toString() : Uint8Array.from(part));
      at = end + 1;
    } else if (kind === DOUBLE) {
      const bits = view.getBigUint64(at);
      const number = new DataView(new ArrayBuffer(8));
      number.setBigUint64(0, bits >> 63n ? bits & ~(1n << 63n) : ~bits & 0xffffffffffffffffn);
      parts.push(number.getFloat64(0));
      at += 8;
    } else if (kind === FALSE || kind === TRUE) {
      parts.push(kind === TRUE);
    } else {
      const isNegative = kind < ZERO;
      let size = Math.abs(kind - ZERO);
      if (size > MOST_BYTES + 1) throw new RangeError(`${kind} is no kind of a key's part`);
      if (size > MOST_BYTES) size = isNegative ? ~bytes[at++]! & 0xff : bytes[at++]!;
      const stored = size === 0
        ? 0n
        : BigInt(`0x${Buffer.from(bytes.subarray(at, at + size)).toString("hex")}`);
      parts.push(isNegative ? stored - ((1n << BigInt(8 * size)) - 1n) : stored);
      at += size;
    }
  }
  return parts;
}

/** Returns where a text or bytes that begin at `at` end. */
function endOfPart(bytes: Uint8Array, at: number): number {
  for (let end = bytes.indexOf(END, at); end >= 0; end = bytes.indexOf(END, end + 2)) {
    if (bytes[end + 1] !== ESCAPE) return end;
  }
  throw new RangeError("a part of a key has no end");
}

function unescaped(bytes: Uint8Array, begin: number, end: number): Buffer {
  const part = Buffer.from(bytes.buffer, bytes.byteOffset + begin, end - begin);
  return part.includes(END) ? Buffer.from(part.filter((_, at) => part[at - 1] !== END)) : part;
}
