/** Distinct names of one slot. More are not counted; those that occur often come again in the next one. */
const MOST_NAMES = 2_000;

/** Counts recent events by name, such as signups by network. Memory does not depend on how many there are. */
export interface RecentCounts {
  /** @param now Unix milliseconds */
  add(name: string, now: number): void;
  /** Returns how often a name occurred in all slots. */
  count(name: string, now: number): number;
  /** Returns how often a name occurred in each slot: in the current one first, then in those before. */
  byAge(name: string, now: number): number[];
  /** Returns the count of the most frequent name in all slots; 0 if there are none. */
  most(now: number): number;
}

/**
 * Counts by slots of equal length.
 *
 * @param slotMs an event counts for one slot less, to all slots
 */
export function createRecentCounts({ slotMs, slots: most }: { slotMs: number; slots: number }): RecentCounts {
  /** The newest slot first. */
  const slots: Map<string, number>[] = [new Map()];
  const sums = new Map<string, number>();
  let newest = -Infinity;

  /** Drops the slots that are too old. If the clock is set back, every event keeps its age. */
  function expire(now: number) {
    const slot = Math.floor(now / slotMs);
    if (slot === newest) return;
    for (let passed = Math.min(most, slot - newest); passed > 0; passed--) slots.unshift(new Map());
    newest = slot;
    for (const old of slots.splice(most)) {
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
    count(name, now) {
      expire(now);
      return sums.get(name) ?? 0;
    },
    byAge(name, now) {
      expire(now);
      return slots.map((slot) => slot.get(name) ?? 0);
    },
    most(now) {
      expire(now);
      let found = 0;
      for (const count of sums.values()) found = Math.max(found, count);
      return found;
    },
  };
}
