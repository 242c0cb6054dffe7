import assert from "node:assert/strict";
import { type Probe, toldApart } from "./told_apart.ts";

const PER_MEAN = 64;
/** Uniform from 0 to 50 ms. */
const JITTER_VARIANCE = 50 ** 2 / 12;
const COUNT = 2_000;

/** Returns requests of three kinds, of which `signup` takes longer, sent in turn to a server that is slow every other minute. */
function probes(signupLasts: number, slowest = 0): Probe[] {
  const kinds = ["signup", "honeypot", "no token"];
  return Array.from({ length: COUNT * kinds.length }, (_, n) => {
    const kind = kinds[n % kinds.length]!;
    const at = n * 50;
    const slow = Math.floor(at / 60_000) % 2 === 1 ? 200 : 0;
    const outlier = kind === "honeypot" && n % 900 === 1 ? slowest : 0;
    return {
      kind,
      at,
      took: 75 + slow + outlier + (n * 7919 % 100) / 50 + (kind === "signup" ? signupLasts : 0),
    };
  });
}

Deno.test("bench: kinds of requests that take equally long are not told apart, however slow the server is at times", () => {
  for (const { upper } of toldApart(probes(0), PER_MEAN, JITTER_VARIANCE)) {
    assert(upper < 0.53, String(upper));
  }
});

Deno.test("bench: half a millisecond tells a kind of request apart in the means of 64, and its pairs come first", () => {
  const [first, second, third] = toldApart(probes(0.5), PER_MEAN, JITTER_VARIANCE);
  for (const { pair, differenceMs, chance, upper } of [first!, second!]) {
    assert(pair.includes("signup"), pair.join());
    assert(Math.abs(differenceMs - 0.5) < 0.1, String(differenceMs));
    // Φ(0.5 / √(2 · 208 / 64))
    assert(Math.abs(chance - 0.578) < 0.01, String(chance));
    assert(upper > chance);
  }
  assert.deepEqual(third!.pair.toSorted(), ["honeypot", "no token"]);
});

Deno.test("bench: a few very slow responses do not hide that a kind of request takes longer", () => {
  const [first] = toldApart(probes(0.5, 5_000), PER_MEAN, JITTER_VARIANCE);
  assert(first!.pair.includes("signup"), first!.pair.join());
  assert(first!.chance > 0.56, String(first!.chance));
});
