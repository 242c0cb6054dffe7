import { POLL_INTERVAL_MS } from "../../../shared/limits.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import { isFarAhead } from "../../platform/time/stored_time.ts";
import type { CallLimits } from "../port/capabilities.ts";
import type { SharedPause } from "./shared_pauses.ts";
import { createTokenBucket, rateWithin, type TokenBucket } from "./token_bucket.ts";
import type { Trouble } from "../port/trouble.ts";
import type { Around } from "./wrap_calls.ts";

/** cfbe's own pace, whatever the provider allows. */
const PACE = { perSecond: 5, burst: 10 };
/** How far urgent calls may overdraw the pace. With more, a rush of signups would delay the poll for hours. */
const MAX_DEBT = 10;
/** Background calls never wait longer, so that polling finds confirmations within 15 minutes even on a busy account. */
const LONGEST_PACE_WAIT_MS = 1_000;
/** How long a call waits for the provider's own limits, before its job retries it. Well below the limit of an attempt. */
const LONGEST_LIMIT_WAIT_MS = 20_000;
/**
 * How long no call of the account is sent after a 429: as long as its `Retry-After` says, within these limits; if it says
 * nothing, the shortest. A longer one applies to the call that got it, and the account tries again after the time between
 * two polls: what a proxy or one path of the API asks for must not stop everything for hours.
 */
export const PAUSE_MS = { shortest: 1_000, longest: POLL_INTERVAL_MS };
/**
 * After a pause, calls begin at cfbe's own pace, which doubles in this time while no 429 follows: everything that waited
 * would otherwise be sent at once.
 */
const PACE_DOUBLES_MS = 2_000;
/** Doublings after which the pace no longer limits urgent calls: 1,280 calls a second. */
const DOUBLINGS = 8;
/** Over how much time after a pause the callers that were refused come back at most. */
const LONGEST_SPREAD_MS = 60_000;

/** The budget of all calls of an account. */
export interface CallBudget {
  /** For calls for which a visitor or a webhook waits: they are sent immediately and charged. */
  urgent: Around;
  /** For calls that wait for cfbe's own pace, at most a second each. */
  background: Around;
  /** Begins as after a pause that ended then (Unix milliseconds), because much work is waiting. */
  startSlowly(at: number): void;
}

/**
 * Creates the budget of an account. All calls keep the limits that the provider documents. After a 429, whichever call got
 * it, none is sent for a while, and then few at first.
 *
 * @param limitsOf returns the documented limits
 * @param shared the pause of the account in all processes; only in this process by default
 */
export function createCallBudget(
  limitsOf: () => CallLimits,
  { clock, random, shared }: { clock: Clock; random: Pick<Random, "float">; shared?: SharedPause },
): CallBudget {
  const pace = createTokenBucket(PACE, clock.now());
  let limits: CallLimits | undefined;
  let documented: TokenBucket[] = [];
  let pause: Pause | undefined;
  /** The end of the latest pause of all processes. */
  let adopted: number | undefined;
  let running = 0;
  /** In the order in which they came. */
  const waiting = new Set<() => void>();

  /** Returns the buckets of the current limits; another provider can be chosen at any time. */
  function buckets(): TokenBucket[] {
    if (limits !== limitsOf()) {
      limits = limitsOf();
      documented = ratesOf(limits).map((rate) => createTokenBucket(rate, clock.now()));
    }
    return documented;
  }

  /** Waits for one of the connections that the provider allows at the same time. @returns false if the caller stops first */
  async function connect(signal: AbortSignal | undefined): Promise<boolean> {
    const { concurrent = Infinity } = limitsOf();
    while (running >= concurrent) {
      if (signal?.aborted) return false;
      await nextFree(signal);
    }
    running++;
    return true;
  }

  /** Resolves when it is this caller's turn to take a connection, or when the caller stops waiting. */
  function nextFree(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        waiting.delete(end);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      waiting.add(end);
      signal?.addEventListener("abort", end, { once: true });
    });
  }

  function disconnect() {
    running--;
    const [first] = waiting;
    first?.();
  }

  /**
   * Waits until the documented limits allow a call, and charges it in the same moment, so that no other call comes in
   * between. Returns the remaining wait if that would take too long, and otherwise 0.
   */
  async function takeCall(signal: AbortSignal | undefined): Promise<number> {
    const end = clock.now() + LONGEST_LIMIT_WAIT_MS;
    while (true) {
      await adoptShared();
      const now = clock.now();
      const waits = buckets().map((bucket) => bucket.waitMs(now, requestsPerCall(limitsOf())));
      const wait = Math.ceil(Math.max(pause?.waitMs(now) ?? 0, ...waits));
      if (wait <= 0) {
        pause?.charge(now);
        pace.charge(now, { maxDebt: MAX_DEBT });
        for (const bucket of buckets()) bucket.charge(now, { requests: requestsPerCall(limitsOf()) });
        return 0;
      }
      if (now + wait > end || signal?.aborted) return wait + spreadMs();
      await clock.sleep(wait, signal);
    }
  }

  async function waitForPace() {
    const end = clock.now() + LONGEST_PACE_WAIT_MS;
    for (let now = clock.now(); now < end && pace.waitMs(now) > 0; now = clock.now()) {
      await clock.sleep(Math.min(pace.waitMs(now), end - now));
    }
  }

  const spreadMs = () => pause?.spreadMs(callsPerSecond(limitsOf()), random.float()) ?? 0;

  /** Begins the pause that another process has stored, if it ends later. */
  async function adoptShared() {
    const until = await shared?.until();
    if (until === adopted) return;
    adopted = until;
    if (until === undefined) return;
    const isLater = !pause || until > pause.until || isFarAhead(pause.until, clock.now(), PAUSE_MS.longest);
    if (isLater) pause = createPause(until);
  }

  /**
   * Begins a pause after a 429, and deletes the shared one that was over before the call after a success. Returns the
   * result, with a time to come back at that is not everybody's.
   */
  async function settled<R>(result: R | Trouble, over: number | undefined): Promise<R | Trouble> {
    const trouble = result as Trouble;
    if (trouble.code !== "rate_limited") {
      if (over !== undefined && trouble.kind !== "trouble") await shared?.end(over);
      return result;
    }
    const now = clock.now();
    const asked = Math.max(PAUSE_MS.shortest, trouble.retryAfterMs ?? 0);
    const until = now + Math.min(asked, PAUSE_MS.longest);
    if (!pause || until > pause.until || pause.waitMs(now) === 0) {
      pause = createPause(until);
      await shared?.begin(until);
    }
    return { ...trouble, retryAfterMs: Math.max(asked, pause.waitMs(now)) + spreadMs() };
  }

  const within = (isUrgent: boolean): Around => async (call, signal) => {
    if (!await connect(signal)) return limitReached(spreadMs());
    try {
      if (!isUrgent) await waitForPace();
      const wait = await takeCall(signal);
      if (wait > 0) return limitReached(wait);
      const over = adopted;
      return await settled(await call(), over);
    } finally {
      disconnect();
    }
  };

  return {
    urgent: within(true),
    background: within(false),
    startSlowly(at) {
      if (!pause || pause.waitMs(clock.now()) === 0) pause = createPause(at);
    },
  };
}

/** A pause of the account and what follows it. Times are Unix milliseconds. */
interface Pause {
  until: number;
  /** Returns how long until one more call may be sent, 0 if it may be sent now. */
  waitMs(now: number): number;
  charge(now: number): void;
  /** Returns how much longer than the pause one more refused caller waits, so that they do not come back together. */
  spreadMs(perSecond: number, random: number): number;
}

function createPause(until: number): Pause {
  let nextAt = until;
  let refused = 0;
  return {
    until,
    waitMs: (now) => isFarAhead(nextAt, now, PAUSE_MS.longest) ? 0 : Math.max(0, nextAt - now),
    charge(now) {
      const doublings = Math.floor((now - until) / PACE_DOUBLES_MS);
      nextAt = doublings >= DOUBLINGS
        ? until
        : Math.max(now, nextAt) + 1000 / (PACE.perSecond * 2 ** doublings);
    },
    spreadMs: (perSecond, random) =>
      Math.floor(random * Math.min(LONGEST_SPREAD_MS, ++refused * 1000 / perSecond)),
  };
}

/** Returns how many calls a second all work together makes at most, over a long time. */
export function callsPerSecond(limits: CallLimits): number {
  const rates = ratesOf(limits).map(({ perSecond }) => perSecond / requestsPerCall(limits));
  return Math.min(PACE.perSecond, ...rates);
}

const requestsPerCall = ({ requestsPerCall = 1 }: CallLimits) => requestsPerCall;

function ratesOf(limits: CallLimits): { perSecond: number; burst: number }[] {
  const { perSecond, perMinute, perHour } = limits;
  return ([[perSecond, 1], [perMinute, 60], [perHour, 3600]] as const)
    .flatMap(([requests, seconds]) =>
      requests === undefined ? [] : [rateWithin(requests, seconds, requestsPerCall(limits))]
    );
}

function limitReached(retryAfterMs: number): Trouble {
  const reason = "The provider's rate limit is reached.";
  return { kind: "trouble", code: "rate_limited", reason, retryAfterMs, unknown: false, held: true };
}
