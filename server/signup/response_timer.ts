import type { Clock, Random } from "../deps.ts";
import { createLastMinute } from "./last_minute.ts";
import { createRecentValues } from "./recent_values.ts";

/** Makes all success responses take equally long, so that their timing reveals nothing (decision 12). */
export interface ResponseTimer {
  /** Starts timing a request whose body is complete. Draws its jitter before anything about it is known. */
  start(): RequestTimer;
}

export interface RequestTimer {
  /** Records how long an accepted signup took. The minimum response time follows it. */
  recordAccepted(): void;
  /** Resolves when a success response may be sent: at start + minimum response time + jitter. */
  waitUntilDue(): Promise<void>;
}

const JITTER_MS = 50;
/** Caps a recorded time, so that one hanging filter or a clock change does not slow down all later responses. */
const MAX_RECORDED_MS = 2_000;

/** How many unhurried signups show how long the work takes when nothing else is going on. */
const UNHURRIED = 128;
/** The others may be slower. More would be told apart; with fewer, one slow moment would count for days. */
const COVERED_SHARE = 0.97;
/** A signup is unhurried if none was accepted so shortly before it. In a burst, only the first one is. */
const UNHURRIED_AFTER_MS = 1_000;
/** At most one unhurried signup counts in so long, so that a slow minute is one of 128. */
const UNHURRIED_EVERY_MS = 60_000;

/** @param floorMs lowest value of the minimum response time (`CFBE_ANSWER_FLOOR_MS`) */
export function createResponseTimer(
  { clock, random, floorMs }: { clock: Clock; random: Random; floorMs: number },
): ResponseTimer {
  const lastMinute = createLastMinute();
  const unhurried = createRecentValues(UNHURRIED);
  let usual = 0;
  let usualAt = -Infinity;
  let acceptedAt = -Infinity;

  function record(ms: number, startedAt: number, now: number) {
    lastMinute.add(ms, now);
    // Absolute, because the clock may have been set back.
    const isUnhurried = startedAt >= acceptedAt + UNHURRIED_AFTER_MS || now < acceptedAt;
    acceptedAt = now;
    if (!isUnhurried || Math.abs(now - usualAt) < UNHURRIED_EVERY_MS) return;
    usualAt = now;
    unhurried.add(ms);
    usual = unhurried.percentile(COVERED_SHARE);
  }

  const minimum = () =>
    Math.max(floorMs, usual, Math.min(MAX_RECORDED_MS, lastMinute.percentile99(clock.now())));

  return {
    start() {
      const jitter = random.float() * JITTER_MS;
      const startedAt = clock.now();
      return {
        recordAccepted() {
          const now = clock.now();
          record(Math.min(now - startedAt, MAX_RECORDED_MS), startedAt, now);
        },
        async waitUntilDue() {
          let waited = minimum();
          // The clock may have been set back since the start: never wait longer than the whole time.
          await clock.sleep(Math.min(startedAt - clock.now(), 0) + waited + jitter);
          // While times rise, a dropped request waits as long as one that was accepted in the meantime.
          for (let risen = minimum(); risen > waited; risen = minimum()) {
            const more = risen - waited;
            waited = risen;
            await clock.sleep(more);
          }
        },
      };
    },
  };
}
