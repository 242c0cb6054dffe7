/** Sends the checkout's cart and email address to the server, each only when it has changed. */
import { type Cart, NAMESPACE, type StoredResponse } from "../../../shared/contract.ts";
import type { SessionStore } from "./session.ts";

/** Browsers let at most 64 KiB of `keepalive` requests outlive a page, all requests together. */
const KEEPALIVE_BYTES = 32_000;

const PATHS = { cart: "/cart", email: `${NAMESPACE}/cart-email` };
type Kind = keyof typeof PATHS;

/** What the server was sent in one session. */
interface Sent {
  session?: string;
  /** Request bodies that were sent. */
  bodies: Partial<Record<Kind, string>>;
  /** Whether the server stored them. */
  stored: Partial<Record<Kind, boolean>>;
}

export interface Outbox {
  /** Sends a value unless the server already has it. @returns whether the server has stored it; never rejects */
  send(kind: "cart", cart: Cart): Promise<boolean>;
  send(kind: "email", email: string): Promise<boolean>;
  /** Sends an unsent address immediately, because the visitor is leaving the page. */
  flush(email: string | undefined): void;
}

/**
 * Creates an outbox. Nothing is sent until the first call.
 *
 * @param base URL of the server's root, without a trailing slash
 */
export function createOutbox(base: string, session: SessionStore): Outbox {
  /** The latest values, as JSON so that equal carts compare as equal. */
  const latest: Partial<Record<Kind, string>> = {};
  let sent: Sent = { bodies: {}, stored: {} };
  let queue: Promise<unknown> = Promise.resolve();

  const setLatest = (kind: Kind, value: unknown) =>
    latest[kind] = JSON.stringify(kind === "cart" ? value : { email: value });

  async function post(kind: Kind, nonce: string): Promise<number> {
    const body = latest[kind]!;
    const { bodies, stored } = sent;
    // Recorded before the response arrives, so that leaving the page meanwhile does not send it again.
    bodies[kind] = body;
    try {
      const response = await fetch(base + PATHS[kind], {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-WP-Nonce": nonce },
        body,
        cache: "no-store",
        keepalive: body.length < KEEPALIVE_BYTES,
      });
      // Always read the body: an unread one keeps its connection open.
      const text = await response.text();
      if (response.ok) stored[kind] = (JSON.parse(text) as StoredResponse).stored;
      else delete bodies[kind];
      return response.status;
    } catch {
      delete bodies[kind];
      return 0;
    }
  }

  /** Sends everything that the session has not received. If the session has ended, tries once more with a new one. */
  async function sync(kind: Kind): Promise<boolean> {
    for (let attempt = 0; attempt < 2; attempt++) {
      const current = await session.get();
      if (sent.session !== current.session) sent = { session: current.session, bodies: {}, stored: {} };
      const unsent = (["cart", "email"] as const).filter((each) =>
        latest[each] !== undefined && latest[each] !== sent.bodies[each]
      );
      let ended = false;
      for (const each of unsent) {
        const status = await post(each, current.nonce);
        // 403: the nonce is no longer valid. 409: the session has ordered.
        if (status === 403 || status === 409) {
          session.discard();
          ended = true;
        } else if (status === 200 && !sent.stored[each]) {
          // The status of an address does not say why it was not stored (contract 9.3).
          ended = (await session.renew()).session !== current.session;
        }
        if (ended) break;
      }
      if (!ended) return sent.stored[kind] === true;
    }
    return false;
  }

  return {
    send(kind: Kind, value: unknown) {
      setLatest(kind, value);
      const result = queue.then(() => sync(kind)).catch(() => false);
      queue = result;
      return result;
    },
    flush(email) {
      if (email !== undefined) setLatest("email", email);
      const current = session.current();
      if (!current || sent.session && sent.session !== current.session) return;
      sent.session = current.session;
      if (latest.email !== undefined && latest.email !== sent.bodies.email) {
        const posted = post("email", current.nonce);
        queue = queue.then(() => posted);
      }
    },
  };
}
