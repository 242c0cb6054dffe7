import type { Clock, Random } from "../deps.ts";
import { type Fence, LeaseLost } from "../jobs/handler.ts";
import { cas, type Decision } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import { type Facts, type Standing, standingOf } from "./abandoned.ts";
import type { CartMail } from "../mail/sending.ts";
import { type CartRow, putCart } from "./cart.ts";
import { type MailedRow, MARKER_KEPT, type MarkerRow, type Markers } from "../mail/markers.ts";

/**
 * The right to send a cart's one mail. It is claimed in a commit that also reads every order's mark, and an order
 * reads the claim in the commit that acknowledges it: whoever comes second sees the first. So either the order is
 * known here and no mail is sent, or the mail is known there and the order is acknowledged after it.
 *
 * A claim outlives a crash. An attempt whose result nobody knows is not repeated: a second reminder annoys more
 * than a missing one.
 */
export interface Claims {
  /** Where a cart stands, claiming nothing. */
  look(cart: string, delayMs: number): Promise<{ cart: CartRow | null; standing: Standing }>;
  /** The same, and `send` means that it is claimed now. A cart that was ordered is erased. */
  claim(cart: string, delayMs: number, fence: Fence): Promise<Claim | Exclude<Standing, { kind: "send" }>>;
  /** What became of a claim. `released`: certainly nothing was sent, and another attempt may claim again. */
  settle(
    claim: Pick<Claim, "cart" | "at">,
    state: Exclude<CartMail["state"], "sending"> | "released",
  ): Promise<void>;
}

export interface Claim {
  kind: "send";
  cart: CartRow;
  email: string;
  at: number;
}

interface Options {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  markers: Markers;
}

type Entries = Deno.KvEntryMaybe<unknown>[];
const AGAIN = Symbol("the mailbox changed meanwhile");

export function createClaims({ kv, clock, random, markers }: Options): Claims {
  /** The marks of the mailbox come last: a cart without an address has none. */
  function rowsOf(id: string, { email }: { email?: string }): Deno.KvKey[] {
    const own = [keys.cart(id), markers.sessionOrdered(id), markers.cartMailed(id)];
    if (email === undefined) return own;
    const mailbox = markers.mailbox(email);
    return [
      ...own,
      markers.mailboxOrdered(mailbox),
      markers.mailboxMailed(mailbox),
      markers.stopped(mailbox),
    ];
  }

  function factsOf(
    [cart, session, mailed, ordered, mailboxMailed, stopped]: Entries,
    delayMs: number,
  ): Facts {
    const marker = (entry: Entries[number] | undefined) => (entry?.value ?? null) as MarkerRow | null;
    return {
      cart: cart!.value as CartRow | null,
      now: clock.now(),
      delayMs,
      sessionOrdered: marker(session),
      cartMailed: marker(mailed),
      mailboxOrdered: marker(ordered),
      mailboxMailed: (mailboxMailed?.value ?? null) as MailedRow | null,
      stopped: marker(stopped),
    };
  }

  const read = async (id: string) => (await kv.get<CartRow>(keys.cart(id))).value;

  async function tryClaim(id: string, delayMs: number, fence: Fence) {
    const seen = await read(id);
    return await cas(kv, [fence.key, ...rowsOf(id, seen ?? {})], ([lease, ...rows]: Entries): Decision<
      Claim | Exclude<Standing, { kind: "send" }> | typeof AGAIN
    > => {
      if (!fence.holds(lease!)) throw new LeaseLost();
      const facts = factsOf(rows, delayMs);
      const { cart, now } = facts;
      if (cart?.email !== seen?.email) return { value: AGAIN };
      const standing = standingOf(facts);
      if (standing.kind === "over" && standing.reason === "ordered") {
        return {
          value: standing,
          write(tx) {
            putCart(tx, cart, null);
            // Also where the order named the mailbox alone: what this session says later is no new cart.
            tx.set(markers.sessionOrdered(id), { v: 1, at: now } satisfies MarkerRow, MARKER_KEPT);
          },
        };
      }
      if (standing.kind !== "send") return { value: standing };
      const mail: CartMail = { at: now, state: "sending" };
      const claimed: CartRow = { ...cart!, mail };
      return {
        value: { kind: "send", cart: claimed, email: standing.email, at: now },
        write(tx) {
          putCart(tx, cart, claimed);
          tx.set(markers.cartMailed(id), { v: 1, at: now } satisfies MarkerRow, MARKER_KEPT);
          tx.set(
            markers.mailboxMailed(markers.mailbox(standing.email)),
            { v: 1, ...mail } satisfies MailedRow,
            MARKER_KEPT,
          );
        },
      };
    }, { clock, random });
  }

  return {
    async look(id, delayMs) {
      const seen = await read(id);
      const rows = await kv.getMany<unknown[]>(rowsOf(id, seen ?? {}));
      const facts = { ...factsOf(rows, delayMs), cart: seen };
      return { cart: seen, standing: standingOf(facts) };
    },

    async claim(id, delayMs, fence) {
      for (;;) {
        const claimed = await tryClaim(id, delayMs, fence);
        if (claimed !== AGAIN) return claimed;
      }
    },

    async settle({ cart: { id, email }, at }, state) {
      const mailboxMailed = markers.mailboxMailed(markers.mailbox(email!));
      const mine = (mail: CartMail | null | undefined) => mail?.at === at && mail.state === "sending";
      await cas(kv, [keys.cart(id), mailboxMailed], ([cart, mailbox]: Entries) => ({
        value: undefined,
        write(tx) {
          const before = cart!.value as CartRow | null;
          const mailed = mailbox!.value as MailedRow | null;
          if (state === "released") {
            if (mine(mailed)) tx.delete(mailboxMailed);
            if (!before || !mine(before.mail)) return;
            const { mail: _, ...unmailed } = before;
            putCart(tx, before, unmailed);
            tx.delete(markers.cartMailed(id));
            return;
          }
          if (mine(mailed)) tx.set(mailboxMailed, { v: 1, at, state } satisfies MailedRow, MARKER_KEPT);
          if (before && mine(before.mail)) putCart(tx, before, { ...before, mail: { at, state } });
        },
      }), { clock, random });
    },
  };
}
