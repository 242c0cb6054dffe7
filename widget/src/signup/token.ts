/**
 * The fill-time token (contract 3.6 to 3.8): when to fetch it, and when it may be sent.
 *
 * A token younger than 3 s or older than 2 h is answered with a fake success that stores nothing (contract 4.5), so a
 * wrong guess here loses a subscriber without anybody noticing. Its age is counted from when it arrived.
 */
import type { Clock, Reading } from "../host/clock.ts";

/** The server's 3 s are exact and count from its own issue; the rest is for clocks that run at odd speeds. */
export const READY_AFTER_MS = 3_100;
/** Well before the server's 2 h: what is left covers a slow answer and a slow submission. */
export const REFRESH_AFTER_MS = 90 * 60_000;

/** A token, and when it arrived. */
export interface Held {
  readonly token: string;
  readonly at: Reading;
}

/**
 * What to do with a token at this moment.
 *
 * To be old enough it must be so by the steady clock: setting the time of day forward must not send it early. It
 * is too old if either clock says so: the steady one stands still while a laptop sleeps, the other may be set back.
 *
 * @returns milliseconds until it may be sent, 0 for now; undefined when a new one must be fetched
 */
export function waitFor(held: Held | undefined, now: Reading): number | undefined {
  if (!held) return undefined;
  const wall = now.wall - held.at.wall;
  const steady = now.steady - held.at.steady;
  if (wall < 0 || wall > REFRESH_AFTER_MS || steady > REFRESH_AFTER_MS) return undefined;
  return Math.max(0, READY_AFTER_MS - steady);
}

/** Keeps one form's token fit for sending. */
export interface TokenKeeper {
  /** Fetches a token unless a good one is held; a failure is left to `take`. */
  warm(): void;
  /** Throws away what is held, and fetches anew: after the page came back from the back-forward cache. */
  renew(): void;
  /**
   * A token that may be sent now: fetches and waits as long as that takes. Rejects when it can't be fetched. One that
   * is on its way already is the last word as well: it is asked for with patience, and nobody waits twice as long.
   */
  take(): Promise<string>;
}

/**
 * @param fetchToken asks the server for a token
 * @param clock the time
 */
export function keepToken(fetchToken: () => Promise<string>, clock: Clock): TokenKeeper {
  let held: Held | undefined;
  let fetching: Promise<void> | undefined;

  const refresh = () =>
    fetching ??= fetchToken()
      .then((token) => {
        held = { token, at: clock.read() };
      })
      .finally(() => fetching = undefined);
  const warm = () => {
    if (waitFor(held, clock.read()) === undefined) refresh().catch(() => {});
  };

  return {
    warm,
    renew() {
      held = undefined;
      warm();
    },
    async take() {
      for (;;) {
        const wait = waitFor(held, clock.read());
        if (wait === 0) return held!.token;
        // Asked again after waiting: the machine may have slept meanwhile.
        await (wait === undefined ? refresh() : clock.sleep(wait));
      }
    },
  };
}
