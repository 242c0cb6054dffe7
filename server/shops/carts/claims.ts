import type { Clock, Random } from "../../platform/deps.ts";
import type { Fence } from "../../platform/jobs/handler.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import { type EntriesOf, readEntries } from "../../platform/kv/entries.ts";
import { readRow } from "../../platform/kv/key.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { type CartMailDecision, type CartMailFacts, decideCartMail } from "./mail_decision.ts";
import type { MailAttempt } from "../mail/sending.ts";
import { cartKey, type CartRow, putCart } from "./cart.ts";
import { correctMarker, type MailedRow, MARKER_KEPT, type MarkerRow, type Markers } from "../mail/markers.ts";

/**
 * The right to send a cart's one reminder. The commit that claims it also reads the markers of orders, and the commit
 * that accepts an order also reads the claim, so the later of the two sees the earlier. Either the order is known here
 * and no reminder is sent, or the claim is known there and the order is acknowledged after the reminder.
 *
 * A claim outlives a crash. An attempt with an unknown result is not repeated: a missing reminder is better than two.
 */
export interface Claims {
  /** Decides without claiming. */
  peek(cart: string, delayMs: number): Promise<{ cart: CartRow | null; decision: CartMailDecision }>;
  /** Decides, and claims the reminder if the decision is `send`. Erases a cart that was ordered. */
  claim(
    cart: string,
    delayMs: number,
    fence: Fence,
  ): Promise<Claim | Exclude<CartMailDecision, { kind: "send" }>>;
  /** Stores the result of a claim. `released`: nothing was sent, and another attempt may claim again. */
  settle(
    claim: Pick<Claim, "cart" | "at">,
    state: Exclude<MailAttempt["state"], "sending"> | "released",
  ): Promise<void>;
}

export interface Claim {
  kind: "send";
  cart: CartRow;
  email: string;
  at: number;
}

interface Options {
  kv: Kv;
  clock: Clock;
  random: Random;
  markers: Markers;
}

export function createClaims({ kv, clock, random, markers }: Options): Claims {
  /** A cart without an email address has no mailbox, so no markers of one. */
  function keysOf(id: string, email: string | undefined) {
    const mailbox = email === undefined ? undefined : markers.mailbox(email);
    return {
      cart: cartKey(id),
      sessionOrdered: markers.sessionOrdered(id),
      cartMailed: markers.cartMailed(id),
      mailbox: mailbox === undefined ? undefined : {
        ordered: markers.mailboxOrdered(mailbox),
        mailed: markers.mailboxMailed(mailbox),
        optedOut: markers.cartMailOptOut(mailbox),
      },
    };
  }

  function factsOf(
    { cart, sessionOrdered, cartMailed, mailbox }: EntriesOf<ReturnType<typeof keysOf>>,
    delayMs: number,
  ): CartMailFacts {
    return {
      cart: cart.value,
      now: clock.now(),
      delayMs,
      sessionOrdered: sessionOrdered.value,
      cartMailed: cartMailed.value,
      mailboxOrdered: mailbox?.ordered.value ?? null,
      mailboxMailed: mailbox?.mailed.value ?? null,
      optedOut: mailbox?.optedOut.value ?? null,
    };
  }

  function claim(id: string, delayMs: number, fence: Fence) {
    let seen: CartRow | null;
    const read = async () => {
      seen = await readRow(kv, cartKey(id));
      return keysOf(id, seen?.email);
    };
    return cas(kv, read, (rows): Decision<Claim | Exclude<CartMailDecision, { kind: "send" }>> => {
      const facts = factsOf(rows, delayMs);
      const { cart, now } = facts;
      if (cart?.email !== seen?.email) return "retry";
      const decision = decideCartMail(facts);
      if (decision.kind === "none" && decision.reason === "ordered") {
        return {
          value: decision,
          write(tx) {
            putCart(tx, cart, null);
            // Even if the order named only the mailbox: later data of this session is not a new cart.
            tx.set(markers.sessionOrdered(id), { v: 1, at: now } satisfies MarkerRow, MARKER_KEPT);
            if (rows.mailbox) correctMarker(tx, rows.mailbox.ordered, now);
          },
        };
      }
      if (decision.kind !== "send") return { value: decision };
      const mail: MailAttempt = { at: now, state: "sending" };
      const claimed: CartRow = { ...cart!, mail };
      return {
        value: { kind: "send", cart: claimed, email: decision.email, at: now },
        write(tx) {
          putCart(tx, cart, claimed);
          tx.set(markers.cartMailed(id), { v: 1, at: now } satisfies MarkerRow, MARKER_KEPT);
          tx.set(
            markers.mailboxMailed(markers.mailbox(decision.email)),
            { v: 1, ...mail } satisfies MailedRow,
            MARKER_KEPT,
          );
        },
      };
    }, { clock, random, fence });
  }

  return {
    claim,

    async peek(id, delayMs) {
      const seen = await readRow(kv, cartKey(id));
      const rows = await readEntries(kv, keysOf(id, seen?.email));
      const facts = { ...factsOf(rows, delayMs), cart: seen };
      return { cart: seen, decision: decideCartMail(facts) };
    },

    async settle({ cart: { id, email }, at }, state) {
      const mailboxMailed = markers.mailboxMailed(markers.mailbox(email!));
      const isOwn = (mail: MailAttempt | null | undefined) => mail?.at === at && mail.state === "sending";
      const read = { cart: cartKey(id), mailbox: mailboxMailed };
      await cas(kv, read, ({ cart: { value: before }, mailbox: { value: mailed } }) => ({
        value: undefined,
        write(tx) {
          if (state === "released") {
            if (isOwn(mailed)) tx.delete(mailboxMailed);
            if (!before || !isOwn(before.mail)) return;
            const { mail: _, ...unmailed } = before;
            putCart(tx, before, unmailed);
            tx.delete(markers.cartMailed(id));
            return;
          }
          if (isOwn(mailed)) tx.set(mailboxMailed, { v: 1, at, state } satisfies MailedRow, MARKER_KEPT);
          if (before && isOwn(before.mail)) putCart(tx, before, { ...before, mail: { at, state } });
        },
      }), { clock, random });
    },
  };
}
