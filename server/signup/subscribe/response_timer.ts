import type { Clock, Random } from "../../platform/deps.ts";
import { LATE, within } from "../../platform/time/within.ts";
import { createLastMinute } from "./last_minute.ts";
import { createRecentValues } from "./recent_values.ts";

/** Makes all success responses take equally long, so that their timing reveals nothing (decision 12). */
export interface ResponseTimer {
  /** Starts timing a request whose body is complete. Draws its jitter before anything about it is known. */
  start(): RequestTimer;
}

/** Its disposal ends the sleep of a request that is answered with an error. */
export interface RequestTimer extends Disposable {
  /**
   * Times the work of accepting a signup, from the start of the request. The minimum response time follows it, unless the
   * signup turns out not to be accepted.
   */
  timeAccept<T>(accept: () => Promise<T>, isAccepted: (result: T) => boolean): Promise<T>;
  /** Resolves when a success response may be sent: at start + minimum response time + jitter. */
  waitUntilDue(): Promise<void>;
}

/** The work on a signup, which may still be under way. */
interface Work {
  readonly startedAt: number;
  /** Undefined once it has ended. */
  end: Promise<void> | undefined;
  /** How long it took, in milliseconds; undefined if the signup was not accepted. */
  tookMs: number | undefined;
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
/** The site is under load if the work on so many signups started in the last second. */
const LOAD_PER_SECOND = 50;
/**
 * Under load, a response waits for so many signups. With one, a signup that takes 0.14 ms longer, because its person is
 * known, is told apart by as much; of four, it is rarely the slowest.
 */
const TOGETHER = 4;
const SECOND_MS = 1_000;

/** @param floorMs lowest value of the minimum response time (`CFBE_ANSWER_FLOOR_MS`) */
export function createResponseTimer(
  { clock, random, floorMs }: { clock: Clock; random: Random; floorMs: number },
): ResponseTimer {
  const lastMinute = createLastMinute();
  const unhurried = createRecentValues(UNHURRIED);
  let usual = 0;
  let usualAt = -Infinity;
  let acceptedAt = -Infinity;
  /** Those that started last, the latest at the end: as many as make a load. */
  const works: Work[] = [];

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

  /** Returns the works that started last, the latest at the end; none unless the site is under load. */
  function lastWorksUnderLoad(now: number): Work[] {
    const isUnderLoad = works.length === LOAD_PER_SECOND && Math.abs(now - works[0]!.startedAt) <= SECOND_MS;
    return isUnderLoad ? works.slice(-TOGETHER) : [];
  }

  /** Returns how long the slowest accepted signup of `works` took, once all have ended; 2 seconds at most. */
  async function slowest(works: readonly Work[]): Promise<number | undefined> {
    const ends = works.flatMap(({ end }) => end ?? []);
    if (ends.length > 0) {
      const lastStart = Math.max(...works.map(({ startedAt }) => startedAt));
      const leftMs = lastStart + MAX_RECORDED_MS - clock.now();
      if (await within(leftMs, clock, Promise.all(ends)) === LATE) return MAX_RECORDED_MS;
    }
    const accepted = works.flatMap(({ tookMs }) => tookMs ?? []);
    return accepted.length > 0 ? Math.max(...accepted) : undefined;
  }

  return {
    start() {
      const jitter = random.float() * JITTER_MS;
      const startedAt = clock.now();
      const before = lastWorksUnderLoad(startedAt);
      /** Undefined unless the signup was accepted. */
      let own: Work | undefined;

      /** Sleeps from the start. If the clock was set back since then, the whole time and no longer. */
      const sleepUntil = (ms: number) => clock.sleep(Math.min(startedAt - clock.now(), 0) + ms);

      let waited = Math.max(floorMs, usual);
      const disposed = new AbortController();
      // Of the timers that are due in the same millisecond, the first one set fires first. Set after the work, the timer of
      // an accepted signup would be among the last.
      const passed = clock.sleep(waited + jitter, disposed.signal);

      return {
        async timeAccept(accept, isAccepted) {
          const ended = Promise.withResolvers<void>();
          const work: Work = { startedAt, end: ended.promise, tookMs: undefined };
          if (works.push(work) > LOAD_PER_SECOND) works.shift();
          try {
            const result = await accept();
            if (isAccepted(result)) {
              const now = clock.now();
              work.tookMs = Math.min(now - startedAt, MAX_RECORDED_MS);
              record(work.tookMs, startedAt, now);
              own = work;
            }
            return result;
          } finally {
            work.end = undefined;
            ended.resolve();
          }
        },
        async waitUntilDue() {
          await passed;
          const workMs = before.length > 0
            ? await slowest(own ? [...before.slice(1), own] : before)
            : undefined;
          // While times rise, a dropped request waits as long as one that was accepted in the meantime.
          for (let due = workMs ?? minimum(); due > waited; due = workMs ?? minimum()) {
            waited = due;
            await sleepUntil(waited + jitter);
          }
        },
        // The default reason would be an exception with a stack trace, created for each request.
        [Symbol.dispose]: () => disposed.abort("disposed"),
      };
    },
  };
}
