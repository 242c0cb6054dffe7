import type { Random } from "../../server/platform/deps.ts";

/**
 * Returns numbers from 0 to below 1 that follow from a seed (mulberry32). Uses nothing from outside, because it is also
 * sent to pages as text.
 */
export function numbersOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns random numbers that are the same for the same seed on every machine. For tests only: guessable.
 *
 * @example
 * ```ts
 * seededRandom(1).float() === seededRandom(1).float(); // true
 * ```
 */
export function seededRandom(seed: number): Random {
  const float = numbersOf(seed);
  const bytes = (length: number) => Uint8Array.from({ length }, () => Math.floor(float() * 256));
  const uuid = () => {
    const raw = bytes(16);
    raw[6] = (raw[6]! & 0x0f) | 0x40;
    raw[8] = (raw[8]! & 0x3f) | 0x80;
    const hex = Array.from(raw, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  };
  return { float, bytes, uuid };
}
