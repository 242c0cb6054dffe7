import type { Clock, Random } from "../deps.ts";
import { createRecentValues } from "./recent_values.ts";

/** Makes all success responses take equally long, so that their timing reveals nothing (decision 12). */
export interface ResponseTimer {
  /** Starts timing a request whose body is complete. Draws its jitter before anything about it is known. */
  start(): RequestTimer;
}

export interface RequestTimer {
  /** Records how long an accepted signup took. The minimum response time follows the recent 99th percentile. */
  recordAccepted(): void;
  /** Resolves when a success response may be sent: at start + minimum response time + jitter. */
  waitUntilDue(): Promise<void>;
}

const JITTER_MS = 50;
const RECENT_COUNT = 512;
/** Caps a recorded time, so that one hanging filter or a clock change does not slow down all later responses. */
const MAX_RECORDED_MS = 2_000;

/** @param floorMs lowest value of the minimum response time (`CFBE_ANSWER_FLOOR_MS`) */
export function createResponseTimer(
  { clock, random, floorMs }: { clock: Clock; random: Random; floorMs: number },
): ResponseTimer {
  const recent = createRecentValues(RECENT_COUNT);
  let minimum = floorMs;

  return {
    start() {
      const jitter = random.float() * JITTER_MS;
      const startedAt = clock.now();
      return {
        recordAccepted() {
          recent.add(Math.min(clock.now() - startedAt, MAX_RECORDED_MS));
          minimum = Math.max(floorMs, recent.percentile99());
        },
        async waitUntilDue() {
          // The clock may have been set back since the start: never wait longer than the whole time.
          await clock.sleep(Math.min(startedAt - clock.now(), 0) + minimum + jitter);
        },
      };
    },
  };
}
