/** What the server is to know of the checkout, and what it was told already. */
import { type Cart, NAMESPACE, type StoredAnswer } from "../../../shared/contract.ts";
import type { SessionKeeper } from "./session.ts";

/** Browsers let 64 KiB of requests outlive their page, all of them together. */
const OUTLIVES_BYTES = 32_000;

const PATHS = { cart: "/cart", email: `${NAMESPACE}/cart-email` };
type Kind = keyof typeof PATHS;

export interface Outbox {
  /** Tells the server, unless it knows. @returns whether it is stored there now */
  tell(kind: "cart", cart: Cart): Promise<boolean>;
  tell(kind: "email", email: string): Promise<boolean>;
  /** Tells what is left to tell in this moment, for the page is being left. */
  leave(email: string | undefined): void;
}

/**
 * @param base address of the server's root
 */
export function createOutbox(base: string, session: SessionKeeper): Outbox {
  /** As JSON, so that equal carts are equal. */
  const wanted: Partial<Record<Kind, string>> = {};
  /** What one session was told, and whether it was stored. */
  let told: {
    session?: string;
    bodies: Partial<Record<Kind, string>>;
    stored: Partial<Record<Kind, boolean>>;
  } = {
    bodies: {},
    stored: {},
  };
  let line: Promise<unknown> = Promise.resolve();

  const want = (kind: Kind, value: unknown) =>
    wanted[kind] = JSON.stringify(kind === "cart" ? value : { email: value });

  async function send(kind: Kind, nonce: string): Promise<number> {
    const body = wanted[kind]!;
    const { bodies, stored } = told;
    // In front of the answer: a page that is left meanwhile must not tell it again.
    bodies[kind] = body;
    try {
      const response = await fetch(base + PATHS[kind], {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-WP-Nonce": nonce },
        body,
        cache: "no-store",
        keepalive: body.length < OUTLIVES_BYTES,
      });
      // Read in any case: a body left lying holds its connection.
      const text = await response.text();
      if (response.ok) stored[kind] = (JSON.parse(text) as StoredAnswer).stored;
      else delete bodies[kind];
      return response.status;
    } catch {
      delete bodies[kind];
      return 0;
    }
  }

  /** Tells a session all that it has not been told; a session that is over is left for a new one, once. */
  async function sync(kind: Kind): Promise<boolean> {
    for (let round = 0; round < 2; round++) {
      const held = await session.get();
      if (told.session !== held.session) told = { session: held.session, bodies: {}, stored: {} };
      const open = (["cart", "email"] as const).filter((each) =>
        wanted[each] !== undefined && wanted[each] !== told.bodies[each]
      );
      let isOver = false;
      for (const each of open) {
        const status = await send(each, held.nonce);
        // The nonce counts no more, or the session has ordered.
        if (status === 403 || status === 409) isOver = true;
        if (isOver) break;
      }
      if (!isOver) return told.stored[kind] === true;
      session.drop();
    }
    return false;
  }

  return {
    tell(kind: Kind, value: unknown) {
      want(kind, value);
      const result = line.then(() => sync(kind)).catch(() => false);
      line = result;
      return result;
    },
    leave(email) {
      if (email !== undefined) want("email", email);
      const held = session.now();
      if (!held || told.session && told.session !== held.session) return;
      told.session = held.session;
      if (wanted.email !== undefined && wanted.email !== told.bodies.email) void send("email", held.nonce);
    },
  };
}
