/** Durations of the last minute, in milliseconds. Memory and time do not depend on how many there are. */
export interface LastMinute {
  /** @param now Unix milliseconds */
  add(ms: number, now: number): void;
  /**
   * Returns a time that at least 99 % of the durations of the last minute do not exceed, and at most 9 % more than the
   * smallest such time. Returns 0 if there are none.
   */
  percentile99(now: number): number;
}

const SLOT_MS = 5_000;
const SLOTS = 12;
/** The upper ends of the bins are powers of 2^(1/8), up to 2^11 = 2,048 ms. */
const BINS_PER_DOUBLING = 8;
const BINS = 11 * BINS_PER_DOUBLING + 1;

const binOf = (ms: number) => Math.min(BINS - 1, ms <= 1 ? 0 : Math.ceil(BINS_PER_DOUBLING * Math.log2(ms)));
const upperEnd = (bin: number) => 2 ** (bin / BINS_PER_DOUBLING);

/** Counts the durations by slots of five seconds, so that each counts for 55 to 60 seconds. */
export function createLastMinute(): LastMinute {
  const slots = Array.from({ length: SLOTS }, () => new Uint32Array(BINS));
  const sums = new Uint32Array(BINS);
  let count = 0;
  let current = 0;
  let slotNumber = -Infinity;

  /** Empties the slots that are a minute old. If the clock is set back, every duration keeps its age. */
  function expire(now: number) {
    const number = Math.floor(now / SLOT_MS);
    for (let passed = Math.min(SLOTS, number - slotNumber); passed > 0; passed--) {
      current = (current + 1) % SLOTS;
      const slot = slots[current]!;
      for (let bin = 0; bin < BINS; bin++) {
        sums[bin]! -= slot[bin]!;
        count -= slot[bin]!;
      }
      slot.fill(0);
    }
    slotNumber = number;
  }

  return {
    add(ms, now) {
      expire(now);
      const bin = binOf(ms);
      slots[current]![bin]!++;
      sums[bin]!++;
      count++;
    },
    percentile99(now) {
      expire(now);
      if (count === 0) return 0;
      let above = 0;
      let bin = BINS - 1;
      while ((above += sums[bin]!) <= count * 0.01) bin--;
      return upperEnd(bin);
    },
  };
}
