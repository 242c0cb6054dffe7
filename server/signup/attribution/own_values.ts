/** How many values of a dimension a process counts on a day. */
const VALUES_PER_DAY = 300;
/** How many of these places are kept for values of earlier days. */
const KNOWN_VALUES = 200;
/** How many new values one network adds on a day. */
const NEW_PER_NETWORK = 10;

/** Signups and confirmations of a value on earlier days. */
export interface KnownValue {
  value: string;
  signups: number;
  confirmed: number;
}

/**
 * Decides which values of one dimension are counted by themselves today. Visitors can send any value, so there is room
 * for only so many, and nobody can fill it up: values of earlier days keep their places, and one network adds only a few.
 */
export interface OwnValues {
  /**
   * Returns whether a value is counted by itself, and adds a new one if there is room.
   *
   * @param network that sent it, as returned by `networkOf`; undefined if the value does not come from a request
   */
  has(value: string, network: string | undefined): boolean;
  /** Begins another day. The values known so far stay so until the next `learn`. */
  beginDay(): void;
  /**
   * Takes the values of earlier days, each possibly several times, and those that were counted today before the process
   * started. With too many earlier ones, those with the most confirmations count, then those with the most signups: both
   * are hard to invent.
   */
  learn(earlier: readonly KnownValue[], today: readonly string[]): void;
}

export function createOwnValues(): OwnValues {
  let known: ReadonlySet<string> | undefined;
  const added = new Set<string>();
  const addedBy = new Map<string, number>();

  return {
    has(value, network) {
      if (known?.has(value) || added.has(value)) return true;
      if (added.size >= VALUES_PER_DAY - (known?.size ?? KNOWN_VALUES)) return false;
      if (network !== undefined) {
        const count = addedBy.get(network) ?? 0;
        if (count >= NEW_PER_NETWORK) return false;
        addedBy.set(network, count + 1);
      }
      added.add(value);
      return true;
    },
    beginDay() {
      added.clear();
      addedBy.clear();
    },
    learn(earlier, today) {
      const sums = new Map<string, KnownValue>();
      for (const { value, signups, confirmed } of earlier) {
        const sum = sums.get(value) ?? { value, signups: 0, confirmed: 0 };
        sums.set(value, { value, signups: sum.signups + signups, confirmed: sum.confirmed + confirmed });
      }
      const byWeight = [...sums.values()].sort((a, b) => b.confirmed - a.confirmed || b.signups - a.signups);
      const kept = new Set(byWeight.slice(0, KNOWN_VALUES).map(({ value }) => value));
      known = kept;
      for (const value of kept) added.delete(value);
      for (const value of today) if (!kept.has(value)) added.add(value);
    },
  };
}
