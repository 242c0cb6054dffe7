/**
 * Random delays, the same for the same seed. This file imports nothing, because its functions also run in pages: they
 * are sent there as text.
 */

/** Returns the milliseconds of a delay: mostly 0, sometimes 1 to 30, rarely 100 to 200. */
export function delayOf(random: () => number): number {
  const kind = random();
  if (kind < 0.95) return 0;
  return Math.ceil(kind < 0.998 ? random() * 30 : 100 + random() * 100);
}

/**
 * Returns a function that takes the milliseconds of a timer and returns how many it takes instead: never fewer. Timers
 * keep their order, as in every event loop: none fires before an earlier one that was due before it.
 */
export function lateTimers(delay: () => number, now: () => number): (ms: number) => number {
  let held: { due: number; until: number }[] = [];
  return (ms) => {
    const start = now();
    held = held.filter(({ until }) => until >= start);
    const due = start + Math.max(0, ms);
    // One more than those before it, because each timer counts from a start of its own in whole milliseconds.
    const after = held.filter((other) => other.due <= due).map(({ until }) => until + 1);
    const until = Math.max(due + delay(), ...after);
    if (until > due) held.push({ due, until });
    return until === due ? ms : Math.ceil(until - start);
  };
}
