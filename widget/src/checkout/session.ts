/**
 * The checkout session: who shops, without a name. It survives a reload, and ends with the tab: `sessionStorage`.
 */
import type { CheckoutSession } from "../../../shared/contract.ts";

const KEY = "cfbe_checkout";
/** Well before the nonce's 24 hours; what is left covers a page that is left open. */
const RENEW_AFTER_MS = 23 * 3_600_000;

/** A session, and when its nonce arrived. */
interface Held extends CheckoutSession {
  at: number;
}

export interface SessionKeeper {
  /** The session if it can be used now, without asking anybody: for a page that is being left. */
  now(): CheckoutSession | undefined;
  /** The session, fetched or renewed if need be. Rejects when the server can't be asked. */
  get(): Promise<CheckoutSession>;
  /** Forgets it: the server said that its nonce counts no more, or that it has ordered. */
  drop(): void;
}

/** @param base address of the server's root */
export function keepSession(base: string): SessionKeeper {
  let held = read();
  let fetching: Promise<CheckoutSession> | undefined;

  const now = () => {
    const age = held ? Date.now() - held.at : -1;
    return age >= 0 && age < RENEW_AFTER_MS ? held : undefined;
  };

  async function renew(): Promise<CheckoutSession> {
    // An old nonce is shown along, so that the new one is of the same session.
    const headers: HeadersInit = held ? { "X-WP-Nonce": held.nonce } : {};
    const response = await fetch(`${base}/checkout-session`, { cache: "no-store", headers });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const { session, nonce } = await response.json() as CheckoutSession;
    held = { session, nonce, at: Date.now() };
    write(held);
    return held;
  }

  return {
    now,
    async get() {
      return now() ?? await (fetching ??= renew().finally(() => fetching = undefined));
    },
    drop() {
      held = undefined;
      write(undefined);
    },
  };
}

/** Storage may be forbidden, full, or hold what somebody else wrote: then the session lasts as long as the page. */
function read(): Held | undefined {
  try {
    const { session, nonce, at } = JSON.parse(sessionStorage.getItem(KEY)!) as Held;
    return typeof nonce === "string" && typeof at === "number" ? { session, nonce, at } : undefined;
  } catch {
    return undefined;
  }
}

function write(held: Held | undefined): void {
  try {
    if (held) sessionStorage.setItem(KEY, JSON.stringify(held));
    else sessionStorage.removeItem(KEY);
  } catch {
    // See above.
  }
}
