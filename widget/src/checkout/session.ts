/**
 * The anonymous checkout session. Kept in `sessionStorage`: it survives a reload, and ends when the tab is closed.
 */
import type { CheckoutSession } from "../../../shared/contract.ts";

const KEY = "cfbe_checkout";
/** Well before the nonce expires after 24 hours, because the page may stay open for a while. */
const RENEW_AFTER_MS = 23 * 3_600_000;

/** A session, and the Unix milliseconds at which its nonce arrived. */
interface StoredSession extends CheckoutSession {
  at: number;
}

export interface SessionStore {
  /** Returns the session if it can be used without a request: there is no time for one when the page is left. */
  current(): CheckoutSession | undefined;
  /** Returns the session; fetches or renews it if necessary. Rejects if the server cannot be reached. */
  get(): Promise<CheckoutSession>;
  /** Asks the server for a new nonce of the session, or for a new session if it has ordered. Rejects as `get`. */
  renew(): Promise<CheckoutSession>;
  /** Does so unless this page has asked already: an order on an earlier page may have ended the stored session. */
  confirm(): Promise<unknown>;
  /** Forgets the session, because the server rejected its nonce or the session has ordered. */
  discard(): void;
}

/**
 * Creates a session store. The session itself is fetched on first use.
 *
 * @param base URL of the server's root, without a trailing slash
 */
export function createSessionStore(base: string): SessionStore {
  let stored = read();
  let fetching: Promise<CheckoutSession> | undefined;
  let isConfirmed = false;

  const current = () => {
    const age = stored ? Date.now() - stored.at : -1;
    return age >= 0 && age < RENEW_AFTER_MS ? stored : undefined;
  };

  async function request(): Promise<CheckoutSession> {
    // The old nonce makes the server issue a new one for the same session.
    const headers: HeadersInit = stored ? { "X-WP-Nonce": stored.nonce } : {};
    const response = await fetch(`${base}/checkout-session`, { cache: "no-store", headers });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const { session, nonce } = await response.json() as CheckoutSession;
    stored = { session, nonce, at: Date.now() };
    write(stored);
    isConfirmed = true;
    return stored;
  }

  const renew = () => fetching ??= request().finally(() => fetching = undefined);

  return {
    current,
    async get() {
      return current() ?? await renew();
    },
    renew,
    async confirm() {
      if (!isConfirmed) await renew();
    },
    discard() {
      stored = undefined;
      write(undefined);
    },
  };
}

/**
 * Reads the stored session. Storage may be blocked or hold invalid data; the session then lasts as long as the page.
 */
function read(): StoredSession | undefined {
  try {
    const { session, nonce, at } = JSON.parse(sessionStorage.getItem(KEY)!) as StoredSession;
    return typeof nonce === "string" && typeof at === "number" ? { session, nonce, at } : undefined;
  } catch {
    return undefined;
  }
}

function write(session: StoredSession | undefined): void {
  try {
    if (session) sessionStorage.setItem(KEY, JSON.stringify(session));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Storage is blocked or full: the session lasts as long as the page.
  }
}
