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

/** Returns the bytes of a key. @throws {TypeError} for a part of another type */
export function encodeKey(key: KvKey): Buffer {
  return Buffer.concat(key.map(encodePart));
}

function encodePart(part: KvKeyPart): Uint8Array {
  if (typeof part === "string") return delimited(TEXT, Buffer.from(part));
  if (part instanceof Uint8Array) return delimited(BYTES, part);
  if (typeof part === "number") return encodeDouble(part);
  if (typeof part === "bigint") return encodeInteger(part);
  if (typeof part === "boolean") return Uint8Array.of(part ? TRUE : FALSE);
  throw new TypeError("expected string, number, bigint, boolean or bytes in a key");
}

function delimited(kind: number, bytes: Uint8Array): Uint8Array {
  const escaped = bytes.includes(END)
    ? Uint8Array.from([...bytes].flatMap((byte) => byte === END ? [END, ESCAPE] : [byte]))
    : bytes;
  const encoded = new Uint8Array(escaped.length + 2);
  encoded[0] = kind;
  encoded.set(escaped, 1);
  return encoded;
}

/** Positive numbers get their sign bit set and negative ones all bits flipped, so that the bytes sort as the numbers. */
function encodeDouble(value: number): Uint8Array {
  const encoded = new Uint8Array(9);
  encoded[0] = DOUBLE;
  const view = new DataView(encoded.buffer);
  view.setFloat64(1, value);
  const bits = view.getBigUint64(1);
  view.setBigUint64(1, bits >> 63n ? ~bits & 0xffffffffffffffffn : bits | 1n << 63n);
  return encoded;
}

/** A negative integer is stored as its distance from the smallest one of the same length. */
function encodeInteger(value: bigint): Uint8Array {
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
      const part: number[] = [];
      for (; bytes[at] !== END || bytes[at + 1] === ESCAPE; at++) {
        if (at >= bytes.length) throw new RangeError("a part of a key has no end");
        part.push(bytes[at]!);
        if (bytes[at] === END) at++;
      }
      at++;
      parts.push(kind === TEXT ? Buffer.from(part).toString() : Uint8Array.from(part));
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
