import type { Clock, Random } from "../deps.ts";
import type { Fence } from "../jobs/handler.ts";
import { cas, type Decision } from "../kv/cas.ts";
import { type EntriesOf, readEntries } from "../kv/entries.ts";
import { readRow } from "../kv/key.ts";
import { type Facts, type Standing, standingOf } from "./abandoned.ts";
import type { CartMail } from "../mail/sending.ts";
import { cartKey, type CartRow, putCart } from "./cart.ts";
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

export function createClaims({ kv, clock, random, markers }: Options): Claims {
  /** A cart without an address has no mailbox, and so none of its markers. */
  function keysOf(id: string, email: string | undefined) {
    const mailbox = email === undefined ? undefined : markers.mailbox(email);
    return {
      cart: cartKey(id),
      sessionOrdered: markers.sessionOrdered(id),
      cartMailed: markers.cartMailed(id),
      mailbox: mailbox === undefined ? undefined : {
        ordered: markers.mailboxOrdered(mailbox),
        mailed: markers.mailboxMailed(mailbox),
        stopped: markers.stopped(mailbox),
      },
    };
  }

  function factsOf(
    { cart, sessionOrdered, cartMailed, mailbox }: EntriesOf<ReturnType<typeof keysOf>>,
    delayMs: number,
  ): Facts {
    return {
      cart: cart.value,
      now: clock.now(),
      delayMs,
      sessionOrdered: sessionOrdered.value,
      cartMailed: cartMailed.value,
      mailboxOrdered: mailbox?.ordered.value ?? null,
      mailboxMailed: mailbox?.mailed.value ?? null,
      stopped: mailbox?.stopped.value ?? null,
    };
  }

  function claim(id: string, delayMs: number, fence: Fence) {
    let seen: CartRow | null;
    const read = async () => {
      seen = await readRow(kv, cartKey(id));
      return keysOf(id, seen?.email);
    };
    return cas(kv, read, (rows): Decision<Claim | Exclude<Standing, { kind: "send" }>> => {
      const facts = factsOf(rows, delayMs);
      const { cart, now } = facts;
      if (cart?.email !== seen?.email) return "retry";
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
    }, { clock, random, fence });
  }

  return {
    claim,

    async look(id, delayMs) {
      const seen = await readRow(kv, cartKey(id));
      const rows = await readEntries(kv, keysOf(id, seen?.email));
      const facts = { ...factsOf(rows, delayMs), cart: seen };
      return { cart: seen, standing: standingOf(facts) };
    },

    async settle({ cart: { id, email }, at }, state) {
      const mailboxMailed = markers.mailboxMailed(markers.mailbox(email!));
      const mine = (mail: CartMail | null | undefined) => mail?.at === at && mail.state === "sending";
      const read = { cart: cartKey(id), mailbox: mailboxMailed };
      await cas(kv, read, ({ cart: { value: before }, mailbox: { value: mailed } }) => ({
        value: undefined,
        write(tx) {
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
