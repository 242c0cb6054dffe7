/**
 * Decides when to fetch the form token (contract 3.6 to 3.8), and when it may be sent.
 *
 * The server silently drops signups whose token is younger than 3 seconds or older than 2 hours (contract 4.5), so a
 * mistake here loses subscribers without anyone noticing. A token's age is measured from its arrival.
 */
import type { Clock, Reading } from "../host/clock.ts";

/** The server's limit of 3 seconds, measured from when it issued the token, plus a margin for inaccurate clocks. */
export const READY_AFTER_MS = 3_100;
/** Well before the server's limit of 2 hours, to leave time for slow responses and submissions. */
export const REFRESH_AFTER_MS = 90 * 60_000;

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
  const wall = now.wall - held.at.wall;
  const monotonic = now.monotonic - held.at.monotonic;
  return wall < 0 || Math.max(wall, monotonic) > REFRESH_AFTER_MS ? undefined : READY_AFTER_MS - monotonic;
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
   */
  get(): Promise<string>;
}

/**
 * Creates a token keeper.
 *
 * @param fetchToken fetches a token from the server
 */
export function createTokenKeeper(fetchToken: () => Promise<string>, clock: Clock): TokenKeeper {
  let held: HeldToken | undefined;
  let fetching: Promise<void> | undefined;

  const refresh = () =>
    fetching ??= fetchToken()
      .then((token) => {
        held = { token, at: clock.read() };
      })
      .finally(() => fetching = undefined);
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
        const wait = tokenWait(held, clock.read());
        if (wait! <= 0) return held!.token;
        // Checked again after waiting, because the machine may have slept meanwhile.
        await (wait === undefined ? refresh() : clock.sleep(wait));
      }
    },
  };
}
