import type { Clock } from "../platform/deps.ts";

const CHECK_EVERY_MS = 10_000;
/** Checks without a tick after which the cron has stopped: more than the minute between two runs. */
const CRON_STOPPED = 7;

export interface Ticks {
  /** For the cron and the start. */
  tick(): Promise<void>;
  /**
   * Ticks while no cron does, until `stop` aborts. `Deno.cron` waits for a time of day: after the clock was set back, it
   * does not run before that time.
   */
  keepUp(stop: AbortSignal): Promise<void>;
}

/** Makes ticks go on, whatever the clock does. @param tick never rejects */
export function createTicks({ clock, tick }: { clock: Clock; tick: () => Promise<void> }): Ticks {
  let count = 0;
  const counted = () => {
    count++;
    return tick();
  };
  return {
    tick: counted,
    async keepUp(stop) {
      for (let quiet = 0, before = count;;) {
        await clock.sleep(CHECK_EVERY_MS, stop);
        if (stop.aborted) return;
        quiet = count === before ? quiet + 1 : 0;
        before = count;
        if (quiet >= CRON_STOPPED) await counted();
      }
    },
  };
}
