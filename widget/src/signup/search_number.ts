/**
 * Returns the number whose SHA-256, with the salt before it, is the challenge; undefined if it is not in the range.
 *
 * Hashes itself (FIPS 180-4), because `crypto.subtle` takes longer for so little data and exists only on https pages.
 * Uses nothing outside of itself, because a worker gets its source.
 *
 * @param salt ASCII
 * @param challenge hexadecimal
 * @param from the first number
 * @param until the last number
 */
export function searchNumber(
  salt: string,
  challenge: string,
  from: number,
  until: number,
): number | undefined {
  const fraction = (root: number) => (root % 1) * 2 ** 32 | 0;
  const start: number[] = [];
  const constants: number[] = [];
  for (let n = 2, primes: number[] = []; primes.length < 64; n++) {
    if (primes.some((prime) => n % prime === 0)) continue;
    if (primes.length < 8) start.push(fraction(n ** (1 / 2)));
    constants.push(fraction(n ** (1 / 3)));
    primes.push(n);
  }
  const words = new Int32Array(64);
  const begin = parseInt(challenge.slice(0, 8), 16) | 0;
  const turn = (word: number, by: number) => word >>> by | word << 32 - by;

  /** Hashes the block of 64 bytes at an offset of the text, and changes the state. */
  const hashBlock = (state: number[], text: string, at: number) => {
    words.fill(0, 0, 16);
    for (let i = 0; i < 64; i++) words[i >> 2]! |= (text.charCodeAt(at + i) || 0) << 24 - 8 * (i & 3);
    let [a, b, c, d, e, f, g, h] = state as [
      ...[number, number, number, number],
      ...[number, number, number, number],
    ];
    for (let i = 0; i < 64; i++) {
      if (i > 15) {
        const x = words[i - 15]!;
        const y = words[i - 2]!;
        words[i] = words[i - 16]! + words[i - 7]! + (turn(x, 7) ^ turn(x, 18) ^ x >>> 3) +
          (turn(y, 17) ^ turn(y, 19) ^ y >>> 10);
      }
      const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (e & f ^ ~e & g) + constants[i]! + words[i]!;
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c);
      h = g;
      g = f;
      f = e;
      e = d + one | 0;
      d = c;
      c = b;
      b = a;
      a = one + two | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => state[i] = state[i]! + word | 0);
  };

  // The whole blocks of the salt are the same for each number.
  let whole = 0;
  for (; whole + 64 <= salt.length; whole += 64) hashBlock(start, salt, whole);
  for (let number = from; number <= until; number++) {
    const rest = salt.slice(whole) + number;
    const bits = 8 * (whole + rest.length);
    const blank = "\0".repeat(64);
    const end = rest.length < 56 ? 64 : 128;
    const padded = (rest + "\x80" + blank + blank).slice(0, end - 2) +
      String.fromCharCode(bits >> 8, bits & 255);
    const state = [...start];
    for (let at = 0; at < end; at += 64) hashBlock(state, padded, at);
    // Only the hash that is sought begins like it: by chance, one in four billion does.
    if (state[0] === begin) return number;
  }
  return undefined;
}
