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
 * Returns a function that starts a timer with the milliseconds that it takes instead: never fewer. Timers keep their
 * order, as in every event loop: none fires before an earlier one that was due before it.
 */
export function lateTimers(
  delay: () => number,
  now: () => number,
): <T>(ms: number, start: (lateMs: number) => T) => T {
  let held: { due: number; until: number }[] = [];
  return (ms, startTimer) => {
    const start = now();
    held = held.filter(({ until }) => until >= start);
    const due = start + Math.max(0, ms);
    // One more than those before it, because each timer counts from a start of its own in whole milliseconds.
    const after = held.filter((other) => other.due <= due).map(({ until }) => until + 1);
    const until = Math.max(due + delay(), ...after);
    if (until === due) return startTimer(ms);
    const lateMs = Math.ceil(until - start);
    const timer = startTimer(lateMs);
    // The process may have been interrupted since: the timer counts from when it was started.
    held.push({ due, until: now() + lateMs });
    return timer;
  };
}
