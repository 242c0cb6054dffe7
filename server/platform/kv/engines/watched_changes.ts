import type { Clock } from "../../deps.ts";
import { keys } from "../keys.ts";
import type { KvChanges, KvKey } from "../port.ts";

/** A watch that takes longer to begin does not work. In milliseconds. */
const BEGINS_MS = 5_000;
/** How long to wait before watching again; doubles until a watch begins. In milliseconds. */
const AGAIN = { first: 100, cap: 60_000 };

interface Deps {
  /** Emits once when the watch begins, and after each change of the row. */
  watch(row: KvKey): ReadableStream<unknown>;
  /** Writes the row. */
  touch(row: KvKey): Promise<unknown>;
  clock: Pick<Clock, "sleep">;
}

/** The row whose changes are the announcements. */
const ROW = keys.changed();

/**
 * Creates the announcements of changes by a row that each process watches. A process also hears its own announcements: of
 * several that follow each other quickly, a watch may only show the last, so one's own could hide that of another.
 */
export function createWatchedChanges({ watch, touch, clock }: Deps): KvChanges {
  let arrive: boolean | undefined;

  /** Watches until the server ends the watch. Rejects if it can't be made or breaks. */
  async function listen(heard: () => void, signal: AbortSignal): Promise<void> {
    const reader = watch(ROW).getReader();
    const begun = new AbortController();
    const end = () => void reader.cancel().catch(() => {});
    signal.addEventListener("abort", end, { once: true });
    const late = clock.sleep(BEGINS_MS, begun.signal).then(() => {
      if (!begun.signal.aborted) end();
    });
    try {
      while (!(await reader.read()).done && !signal.aborted) {
        begun.abort("begun");
        arrive = true;
        heard();
      }
    } finally {
      begun.abort("ended");
      await late;
      signal.removeEventListener("abort", end);
    }
  }

  async function follow(heard: () => void, signal: AbortSignal): Promise<void> {
    let waitMs = AGAIN.first;
    const onBegun = () => {
      waitMs = AGAIN.first;
      heard();
    };
    while (!signal.aborted) {
      try {
        await listen(onBegun, signal);
      } catch {
        // Breaks when the server is gone, which is why the row is watched again.
      }
      if (signal.aborted) return;
      arrive = false;
      await clock.sleep(waitMs, signal);
      waitMs = Math.min(AGAIN.cap, waitMs * 2);
    }
  }

  return {
    follow: (heard, signal) => void follow(heard, signal),
    announce: () => touch(ROW).then(() => {}, () => {}),
    arrive: () => arrive,
  };
}
