/**
 * Decides when to fetch the form token (contract 3.6 to 3.8), and when it may be sent.
 *
 * The server silently drops signups whose token is younger than 3 seconds or older than 2 hours (contract 4.5), so a
 * mistake here loses subscribers without anyone noticing. A token's age is measured from its arrival.
 */
import { TOKEN_RECHECK_MS } from "../../../shared/limits.ts";
import type { Clock, Reading } from "../host/clock.ts";

/** The server's limit of 3 seconds, measured from when it issued the token, plus a margin for inaccurate clocks. */
export const READY_AFTER_MS = 3_100;
/** Well before the server's limit of 2 hours, to leave time for slow responses and submissions. */
export const REFRESH_AFTER_MS = 90 * 60_000;

/** Returns whether a token came with a challenge, whose solution follows it. It is accepted once. */
const hasProof = (token: string) => token.split(".")[2];

/** A token and its time of arrival. */
export interface HeldToken {
  readonly token: string;
  readonly at: Reading;
}

/**
 * Returns how long to wait before sending a token.
 *
 * A token is old enough only by the monotonic clock, so that setting the wall clock forward does not send it early.
 * It is too old by either clock, because the monotonic clock stops while a laptop sleeps and the wall clock can be
 * set back.
 *
 * @returns milliseconds to wait, 0 or less to send it now; undefined if a new token must be fetched
 */
export function tokenWait(held: HeldToken | undefined, now: Reading): number | undefined {
  if (!held) return undefined;
  return ageOf(held, now) > REFRESH_AFTER_MS ? undefined : READY_AFTER_MS - now.monotonic + held.at.monotonic;
}

/** Returns the longest time since the token's arrival, by either clock. */
function ageOf({ at }: HeldToken, now: Reading): number {
  const wall = now.wall - at.wall;
  return wall < 0 ? Infinity : Math.max(wall, now.monotonic - at.monotonic);
}

/** Holds the token of one form. */
export interface TokenKeeper {
  /** Fetches a token unless a valid one is held. Ignores errors, because `get` tries again. */
  prefetch(): void;
  /** Discards the token and fetches a new one, after the page was restored from the back-forward cache. */
  renew(): void;
  /**
   * Returns a token that may be sent now; fetches one and waits if necessary. Rejects if it cannot be fetched. A
   * request that is already running is not repeated when it fails, because it has retried for long enough.
   *
   * A token that is some minutes old may be from before an attack, and would then be dropped without a proof. So the
   * server is asked for another one, which replaces it if it comes with a challenge.
   */
  get(): Promise<string>;
}

/**
 * Creates a token keeper.
 *
 * @param fetchToken fetches a token from the server; `again` for a form that has had one
 */
export function createTokenKeeper(
  fetchToken: (again?: true) => Promise<string>,
  clock: Clock,
): TokenKeeper {
  let held: HeldToken | undefined;
  let fetching: Promise<void> | undefined;

  const hold = (token: string) => {
    held = { token, at: clock.read() };
  };
  const refresh = () => fetching ??= fetchToken().then(hold).finally(() => fetching = undefined);
  const prefetch = () => {
    if (tokenWait(held, clock.read()) === undefined) refresh().catch(() => {});
  };

  return {
    prefetch,
    renew() {
      held = undefined;
      prefetch();
    },
    async get() {
      for (;;) {
        const now = clock.read();
        const wait = tokenWait(held, now);
        if (wait! <= 0) {
          const { token } = held!;
          if (hasProof(token)) held = undefined;
          else if (ageOf(held!, now) > TOKEN_RECHECK_MS) {
            hold(await fetchToken(true));
            if (hasProof(held!.token)) continue;
          }
          return token;
        }
        // Checked again after waiting, because the machine may have slept meanwhile.
        await (wait === undefined ? refresh() : clock.sleep(wait));
      }
    },
  };
}
