import { cartMailJob } from "../carts/cart_mail_job.ts";
import { type JobRow, writeRow } from "../jobs/row.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import { type CartRow, putCart } from "../carts/cart.ts";
import type { CouponRow } from "../coupons/row.ts";
import type { LedgerRow, OwnerRow } from "../orders/ledger.ts";
import type { Markers } from "../mail/markers.ts";
import type { Holding, HoldingDeps } from "./holding.ts";

/** What the shop's rooms hold: carts by their address, orders and the coupon by HMACs of it. */

export function cartsHeld({ kv, clock, random }: HoldingDeps): Holding {
  const idsOf = (email: string) =>
    Array.fromAsync(kv.list({ prefix: keys.cartsOf(email) }), ({ key }) => key.at(-1) as string);
  return {
    name: "carts",
    async find(email) {
      const carts: CartRow[] = [];
      for (const id of await idsOf(email)) {
        const { value } = await kv.get<CartRow>(keys.cart(id));
        if (value) carts.push(value);
      }
      return carts;
    },
    async erase(email) {
      const ids = await idsOf(email);
      for (const id of ids) {
        type Rows = [Deno.KvEntryMaybe<CartRow>, Deno.KvEntryMaybe<JobRow>];
        await cas(kv, [keys.cart(id), keys.job(cartMailJob(id).id)], ([cart, job]: Rows) => ({
          value: undefined,
          write(tx) {
            tx.delete(keys.cartOf(email, id));
            // Somebody else's by now: the shopper has typed another address.
            if (cart.value?.email !== email) return;
            putCart(tx, cart.value, null);
            if (job.value) writeRow(tx, job.value, null);
          },
        }), { clock, random });
      }
      return ids.length;
    },
  };
}

export function ordersHeld({ kv, clock, random, markers }: HoldingDeps & { markers: Markers }): Holding {
  const rowsOf = (email: string) =>
    Array.fromAsync(
      kv.list<LedgerRow>({ prefix: keys.ledgerOf(markers.person(email)) }),
      ({ key, value }) => ({ order: key.at(-1) as string, ...value }),
    );
  return {
    name: "orders",
    find: rowsOf,
    async erase(email) {
      const rows = await rowsOf(email);
      const person = markers.person(email);
      for (const { order } of rows) {
        await cas(kv, [keys.orderOwner(order)], ([owner]: [Deno.KvEntryMaybe<OwnerRow>]) => ({
          value: undefined,
          write(tx) {
            tx.delete(keys.ledger(person, order));
            // Somebody else's by now: the shop has corrected its address.
            if (owner.value?.person === person) tx.delete(keys.orderOwner(order));
          },
        }), { clock, random });
      }
      return rows.length;
    },
  };
}

/** The coupon itself stays under the mailbox's HMAC, for it is given once; whom it was for is forgotten. */
export function couponHeld({ kv, clock, random, markers }: HoldingDeps & { markers: Markers }): Holding {
  const keyOf = (email: string) => markers.coupon(markers.mailbox(email));
  return {
    name: "coupons",
    async find(email) {
      const { value } = await kv.get<CouponRow>(keyOf(email));
      return value?.to?.email === email ? [value] : [];
    },
    erase(email) {
      return cas(kv, [keyOf(email)], ([{ key, value }]: [Deno.KvEntryMaybe<CouponRow>]) => {
        if (value?.to?.email !== email) return { value: 0 };
        const { to: _, ...row } = value;
        return {
          value: 1,
          write: (tx) => void tx.set(key, { ...row, state: "over" } satisfies CouponRow),
        };
      }, { clock, random });
    },
  };
}
