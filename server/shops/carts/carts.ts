import type { Cart } from "../../../shared/contract.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import { addJob } from "../../platform/jobs/add.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { cartMailJob } from "./cart_mail_job.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { createBadRows, listReadable } from "../../platform/kv/bad_rows.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import type { Chains } from "../../platform/kv/chains.ts";
import { readEntries } from "../../platform/kv/entries.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { isOrdered } from "./mail_decision.ts";
import { cartBytesKey, cartKey, type CartRow, isExpired, putCart, sizeOf } from "./cart.ts";
import { correctMarker, MARKER_KEPT, type MarkerRow, type Markers } from "../mail/markers.ts";

/** What a page sends about a cart: only the members that it knows. */
export interface CartChange {
  email?: string;
  content?: Cart;
}

/** The carts of checkout sessions. */
export interface Carts {
  /**
   * Stores a typed email address, the content of a cart or both, and queues the reminder's job, in one commit.
   * Unchanged data does not count as a change, so reloading a page does not delay the reminder. If all carts together
   * grow too large, the ones that have not changed for longest are erased.
   *
   * @returns false if the session has already ordered; a new cart needs a new session
   */
  change(session: string, change: CartChange): Promise<boolean>;
  /** Returns whether a session has ordered. */
  hasOrdered(session: string): Promise<boolean>;
  /** Returns a cart by its HMAC, unless it was ordered or has expired. */
  find(cart: string): Promise<CartRow | undefined>;
  /** Opts a mailbox out of cart reminders, permanently. */
  optOut(mailbox: string): Promise<void>;
}

interface Options {
  kv: Kv;
  clock: Clock;
  random: Random;
  chains: Chains;
  markers: Markers;
  settings: SettingsStore;
  /** Exact limit for all carts together. Beyond it, new carts replace the oldest. */
  maxBytes: number;
  wake: () => void;
}

const MINUTE_MS = 60_000;
const FULL = Symbol("all carts together would be too large");

export function createCarts(options: Options): Carts {
  const { kv, clock, random, chains, markers, settings, maxBytes, wake } = options;

  const mailboxMarker = (row: CartRow | null) =>
    row?.email === undefined ? undefined : markers.mailboxOrdered(markers.mailbox(row.email));

  function changeOnce(
    id: string,
    change: CartChange,
  ): Promise<boolean | typeof FULL> {
    const job = cartMailJob(id);
    // The address in the cart determines which marker to read, so the cart is read first.
    let seen: CartRow | null;
    const read = async () => {
      seen = await readRow(kv, cartKey(id));
      return {
        cart: cartKey(id),
        existing: jobKey(job.id),
        bytes: cartBytesKey(),
        session: markers.sessionOrdered(id),
        mailbox: mailboxMarker(seen),
      };
    };
    return cas(kv, read, ({ cart, existing, bytes, session, mailbox }): Decision<boolean | typeof FULL> => {
      const now = clock.now();
      const before = cart.value;
      if (before?.email !== seen?.email) return "retry";
      if (session.value !== null) return { value: false };
      if (before && isOrdered(before, null, mailbox?.value ?? null, now)) {
        // The order named only the mailbox. Now that its session is known, the session accepts no more carts either.
        return {
          value: false,
          write(tx) {
            putCart(tx, before, null);
            tx.set(markers.sessionOrdered(id), { v: 1, at: now } satisfies MarkerRow, MARKER_KEPT);
            if (mailbox) correctMarker(tx, mailbox, now);
          },
        };
      }
      const after = changedCart(before, change, { id, now });
      if (!after) return { value: true };
      const used = Number(bytes.value?.value ?? 0n);
      const grown = sizeOf(after) - (before?.size ?? 0);
      if (grown > 0 && used + grown > maxBytes) return { value: FULL };
      return {
        value: true,
        write(tx) {
          putCart(tx, before, after);
          if (after.mail || after.email === undefined || !after.content) return;
          const due = now + settings.current().carts.delayMinutes * MINUTE_MS;
          addJob(tx, existing, { ...job, due }, now);
        },
      };
    }, { clock, random });
  }

  /** Erases the cart that has not changed for longest. @returns false if there are no carts */
  async function eraseOldest(): Promise<boolean> {
    const { value: oldest } = await listReadable(kv, { prefix: keys.cartByTimeAll() }, { limit: 1 }).next();
    if (!oldest) return false;
    const cart = cartKey(String(oldest.key.at(-1)));
    const badRows = createBadRows(kv);
    const [isErased] = await badRows.each(
      [undefined],
      () =>
        cas(badRows.kv, { cart }, ({ cart: { value } }) => ({
          value: true,
          write: (tx) => void (value ? putCart(tx, value, null) : tx.delete(oldest.key)),
        }), { clock, random }),
    );
    // Its size is unknown, and stays in the sum.
    if (!isErased) await kv.atomic().delete(cart).delete(oldest.key).commit();
    return true;
  }

  return {
    change(session, change) {
      const id = markers.cartOf(session);
      // One at a time, because each checks the total size.
      return chains.run(["carts"], async () => {
        for (;;) {
          const changed = await changeOnce(id, change);
          if (changed === FULL) {
            if (!await eraseOldest()) return false;
            continue;
          }
          if (changed) wake();
          return changed;
        }
      });
    },

    async hasOrdered(session) {
      return await readRow(kv, markers.sessionOrdered(markers.cartOf(session))) !== null;
    },

    async find(cart) {
      const row = await readRow(kv, cartKey(cart));
      if (!row || isExpired(row, clock.now())) return undefined;
      const read = { session: markers.sessionOrdered(cart), mailbox: mailboxMarker(row) };
      const { session, mailbox } = await readEntries(kv, read);
      return isOrdered(row, session.value, mailbox?.value ?? null, clock.now()) ? undefined : row;
    },

    async optOut(mailbox) {
      // No expiry. Concurrent clicks write the same.
      await kv.set(markers.cartMailOptOut(mailbox), { v: 1, at: clock.now() } satisfies MarkerRow);
    },
  };
}

/** Returns the changed cart, or undefined if the change contains nothing new. An expired cart starts anew. */
function changedCart(
  before: CartRow | null,
  { email, content }: CartChange,
  { id, now }: { id: string; now: number },
): CartRow | undefined {
  const kept = before && !isExpired(before, now) ? before : null;
  const after: CartRow = {
    ...(kept ?? { v: 1, id, createdAt: now }),
    ...(email !== undefined && { email }),
    ...(content && { content }),
    changedAt: now,
  };
  return kept && same(kept, after) ? undefined : after;
}

/** Compares carts as JSON: both were built by one schema, so equal carts have equal JSON. */
function same(one: CartRow, other: CartRow): boolean {
  return one.email === other.email && JSON.stringify(one.content) === JSON.stringify(other.content);
}
