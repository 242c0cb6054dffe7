/**
 * Durations of the last minute, in milliseconds; under load, of the last seconds only. Memory and time do not depend on
 * how many there are.
 */
export interface LastMinute {
  /** @param now Unix milliseconds */
  add(ms: number, now: number): void;
  /**
   * Returns a time that at least 99 % of the durations do not exceed, and at most 9 % more than the smallest such time.
   * Returns 0 if there are none.
   */
  percentile99(now: number): number;
}

const SLOT_MS = 1_000;
const SLOTS = 60;
/** With so many newer durations, older slots no longer count: enough for a percentile that five of them exceed. */
const ENOUGH = 500;
/** Bin 0 is for no duration at all. The upper ends of the others are powers of 2^(1/8), from 1 to 2^11 = 2,048 ms. */
const BINS_PER_DOUBLING = 8;
const BINS = 11 * BINS_PER_DOUBLING + 2;

function binOf(ms: number): number {
  if (ms <= 0) return 0;
  return Math.min(BINS - 1, 1 + Math.max(0, Math.ceil(BINS_PER_DOUBLING * Math.log2(ms))));
}

const upperEnd = (bin: number) => bin === 0 ? 0 : 2 ** ((bin - 1) / BINS_PER_DOUBLING);

/** Counts the durations by slots of one second, so that each counts for 59 to 60 seconds. */
export function createLastMinute(): LastMinute {
  const slots = Array.from({ length: SLOTS }, () => new Uint32Array(BINS));
  const counts = new Uint32Array(SLOTS);
  const sums = new Uint32Array(BINS);
  let current = 0;
  let slotNumber = -Infinity;

  /** Empties the slots that are a minute old. If the clock is set back, every duration keeps its age. */
  function expire(now: number) {
    const number = Math.floor(now / SLOT_MS);
    for (let passed = Math.min(SLOTS, number - slotNumber); passed > 0; passed--) {
      current = (current + 1) % SLOTS;
      slots[current]!.fill(0);
      counts[current] = 0;
    }
    slotNumber = number;
  }

  /** Fills `sums` with the newest slots. @returns how many durations they have */
  function sumUp(): number {
    sums.fill(0);
    let count = 0;
    for (let age = 0; age < SLOTS && count < ENOUGH; age++) {
      const index = (current - age + SLOTS) % SLOTS;
      const slot = slots[index]!;
      if (counts[index] === 0) continue;
      for (let bin = 0; bin < BINS; bin++) sums[bin]! += slot[bin]!;
      count += counts[index]!;
    }
    return count;
  }

  return {
    add(ms, now) {
      expire(now);
      slots[current]![binOf(ms)]!++;
      counts[current]!++;
    },
    percentile99(now) {
      expire(now);
      const count = sumUp();
      if (count === 0) return 0;
      let above = 0;
      let bin = BINS - 1;
      while ((above += sums[bin]!) <= count * 0.01) bin--;
      return upperEnd(bin);
    },
  };
}
