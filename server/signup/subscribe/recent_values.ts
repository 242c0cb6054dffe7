/** A sliding window over the most recent values. */
export interface RecentValues {
  add(value: number): void;
  /** Returns the smallest value that at least this share of the values do not exceed, or 0 if there are none. */
  percentile(share: number): number;
}

/** @param size number of values kept */
export function createRecentValues(size: number): RecentValues {
  const values: number[] = [];
  let added = 0;

  return {
    add: (value) => void (values[added++ % size] = value),
    percentile: (share) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0,
  };
}
