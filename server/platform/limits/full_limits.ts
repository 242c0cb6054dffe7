import type { LimitVerdict, Policy } from "./policies.ts";

interface FullLimit {
  /** When the database showed that the limit is full. Times are Unix milliseconds. */
  seenAt: number;
  /** When one more request fits. */
  freesAt: number;
  max: number;
  spanMs: number;
}

/** About 300 bytes each. A flood from more subjects than this costs reads, as without a memory. */
const MAX_ENTRIES = 10_000;

/**
 * How long an entry is used before the database is read again. Time alone frees a remembered limit, but another process
 * may have corrected its log after a wrong clock, and an operator may have deleted it.
 */
const TRUSTED_MS = 10_000;

/**
 * Remembers limits that are full, so that refusing a request over such a limit costs no read. It only ever refuses what
 * the database would refuse as well, with the same `Retry-After`: admitting always takes a commit.
 *
 * In memory only, for limits with `onlyTimeFrees`. No other write to such a log can make room before `freesAt`.
 */
export class FullLimits {
  /** By `nameOf`; the entry seen longest ago is first. */
  readonly #entries = new Map<string, FullLimit>();

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Returns how long until one more request fits, in milliseconds; or undefined if the limit is not known to be full, so
   * that the database decides.
   */
  retryAfterMs(policy: Policy, now: number): number | undefined {
    const { limit } = policy;
    const name = nameOf(policy);
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const { seenAt, freesAt, max, spanMs } = entry;
    // A filter can change the limit. After the clock was set back, the log may have to be corrected.
    const applies = max === limit.max && spanMs === limit.spanMs && now >= seenAt;
    if (applies && now < freesAt && now < seenAt + TRUSTED_MS) return freesAt - now;
    this.#entries.delete(name);
    return undefined;
  }

  /** Lets the database decide on the next request, because the log was deleted. */
  forget(policy: Policy): void {
    this.#entries.delete(nameOf(policy));
  }

  /** Learns from a decision of the database. */
  note(policy: Policy, verdict: LimitVerdict): void {
    const { limit, onlyTimeFrees } = policy;
    const name = nameOf(policy);
    this.#entries.delete(name);
    if (!onlyTimeFrees || verdict.admitted || verdict.corrected) return;
    if (this.#entries.size >= MAX_ENTRIES) this.#entries.delete(this.#entries.keys().next().value!);
    const { at, retryAfterMs } = verdict;
    this.#entries.set(name, { seenAt: at, freesAt: at + retryAfterMs, ...limit });
  }
}

/** A shared limit can be full for one network only. */
const nameOf = ({ id, networks = "" }: Policy) => id + networks;
