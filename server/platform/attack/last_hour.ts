const SLOT_MS = 60_000;
const SLOTS = 60;
/** Distinct names of one minute. More are not counted; those that occur often come again in the next minute. */
const MOST_NAMES = 2_000;

/** Counts events of the last hour by name, such as signups by network. Memory does not depend on how many there are. */
export interface LastHour {
  /** @param now Unix milliseconds */
  add(name: string, now: number): void;
  /**
   * Returns how often a name occurred in the last hour.
   *
   * @param olderThanMs leaves out the latest events
   */
  count(name: string, now: number, olderThanMs?: number): number;
  /** Returns the count of the most frequent of all names that were ever added in the last hour; 0 if there are none. */
  most(now: number): number;
}

/** Counts by slots of one minute, so that each event counts for 59 to 60 minutes. */
export function createLastHour(): LastHour {
  /** The newest slot first. */
  const slots: Map<string, number>[] = [new Map()];
  const sums = new Map<string, number>();
  let newest = -Infinity;

  /** Drops the slots that are an hour old. If the clock is set back, every event keeps its age. */
  function expire(now: number) {
    const slot = Math.floor(now / SLOT_MS);
    if (slot === newest) return;
    for (let passed = Math.min(SLOTS, slot - newest); passed > 0; passed--) slots.unshift(new Map());
    newest = slot;
    for (const old of slots.splice(SLOTS)) {
      for (const [name, count] of old) {
        const left = sums.get(name)! - count;
        if (left > 0) sums.set(name, left);
        else sums.delete(name);
      }
    }
  }

  return {
    add(name, now) {
      expire(now);
      const slot = slots[0]!;
      if (!slot.has(name) && slot.size >= MOST_NAMES) return;
      slot.set(name, (slot.get(name) ?? 0) + 1);
      sums.set(name, (sums.get(name) ?? 0) + 1);
    },
    count(name, now, olderThanMs = 0) {
      expire(now);
      let count = sums.get(name) ?? 0;
      for (let age = 0; age * SLOT_MS < olderThanMs; age++) count -= slots[age]?.get(name) ?? 0;
      return count;
    },
    most(now) {
      expire(now);
      let most = 0;
      for (const count of sums.values()) most = Math.max(most, count);
      return most;
    },
  };
}
