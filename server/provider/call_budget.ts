import type { Clock } from "../deps.ts";
import type { CallLimits } from "./capabilities.ts";
import type { Provider } from "./port.ts";
import { createTokenBucket, rateWithin, type TokenBucket } from "./token_bucket.ts";
import type { Trouble } from "./trouble.ts";
import { type Around, wrapCalls } from "./wrap_calls.ts";

/** cfbe's own pace, whatever the provider allows. */
const PACE = { perSecond: 5, burst: 10 };
/** How far urgent calls may overdraw the pace. With more, a rush of signups would delay the poll for hours. */
const MAX_DEBT = 10;
/** Background calls never wait longer, so that polling finds confirmations within 15 minutes even on a busy account. */
const LONGEST_PACE_WAIT_MS = 1_000;
/** How long a call waits for the provider's own limits, before its job retries it. Well below the limit of an attempt. */
const LONGEST_LIMIT_WAIT_MS = 20_000;
/**
 * How long no call is sent at most after a 429 of a provider that documents limits for the account. A longer
 * `Retry-After`, or that of another provider, applies only to the call that got it.
 */
const LONGEST_PAUSE_MS = 60_000;

/** The budget of all calls of an account. */
export interface CallBudget {
  /** For calls for which a visitor or a webhook waits: they are sent immediately and charged. */
  urgent: Around;
  /** For calls that wait for cfbe's own pace, at most a second each. */
  background: Around;
}

/** Returns the provider with a budget of its own. */
export function withCallBudget(provider: Provider, clock: Clock): { urgent: Provider; background: Provider } {
  const { urgent, background } = createCallBudget(() => provider.capabilities.limits, clock);
  return { urgent: wrapCalls(provider, urgent), background: wrapCalls(provider, background) };
}

/**
 * Creates the budget of an account. All calls keep the limits that the provider documents, and pause if it still responds
 * with 429.
 *
 * @param limitsOf returns the documented limits
 */
export function createCallBudget(limitsOf: () => CallLimits, clock: Clock): CallBudget {
  const pace = createTokenBucket(PACE, clock.now());
  let limits: CallLimits | undefined;
  let documented: TokenBucket[] = [];
  let pausedUntil = 0;
  let running = 0;
  const waiting: (() => void)[] = [];

  /** Returns the buckets of the current limits; another provider can be chosen at any time. */
  function buckets(): TokenBucket[] {
    if (limits !== limitsOf()) {
      limits = limitsOf();
      documented = ratesOf(limits).map((rate) => createTokenBucket(rate, clock.now()));
    }
    return documented;
  }

  /** Waits for one of the connections that the provider allows at the same time. */
  async function connect() {
    const { concurrent = Infinity } = limitsOf();
    while (running >= concurrent) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
  }

  function disconnect() {
    running--;
    waiting.shift()?.();
  }

  /**
   * Waits until the documented limits allow a call, and charges it in the same moment, so that no other call comes in
   * between. Returns the remaining wait if that would take too long, and otherwise 0.
   */
  async function takeCall(signal: AbortSignal | undefined): Promise<number> {
    const end = clock.now() + LONGEST_LIMIT_WAIT_MS;
    while (true) {
      const now = clock.now();
      const waits = buckets().map((bucket) => bucket.waitMs(now, requestsPerCall(limitsOf())));
      const wait = Math.ceil(Math.max(pausedUntil - now, ...waits));
      if (wait <= 0) {
        pace.charge(now, { maxDebt: MAX_DEBT });
        for (const bucket of buckets()) bucket.charge(now, { requests: requestsPerCall(limitsOf()) });
        return 0;
      }
      if (now + wait > end || signal?.aborted) return wait;
      await clock.sleep(wait, signal);
    }
  }

  async function waitForPace() {
    const end = clock.now() + LONGEST_PACE_WAIT_MS;
    for (let now = clock.now(); now < end && pace.waitMs(now) > 0; now = clock.now()) {
      await clock.sleep(Math.min(pace.waitMs(now), end - now));
    }
  }

  function pauseAfter(result: unknown) {
    const { code, retryAfterMs = 0 } = result as Partial<Trouble>;
    if (code !== "rate_limited" || buckets().length === 0) return;
    pausedUntil = Math.max(pausedUntil, clock.now() + Math.min(retryAfterMs, LONGEST_PAUSE_MS));
  }

  const within = (isUrgent: boolean): Around => async (call, signal) => {
    await connect();
    try {
      if (!isUrgent) await waitForPace();
      const wait = await takeCall(signal);
      if (wait > 0) return limitReached(wait);
      const result = await call();
      pauseAfter(result);
      return result;
    } finally {
      disconnect();
    }
  };

  return { urgent: within(true), background: within(false) };
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
  return { kind: "trouble", code: "rate_limited", reason, retryAfterMs, unknown: false };
}
