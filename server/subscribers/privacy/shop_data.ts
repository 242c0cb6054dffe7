import { cartMailJob } from "../../shops/carts/cart_mail_job.ts";
import { jobKey, writeRow } from "../../platform/jobs/row.ts";
import { listReadable, orIfUnreadable, readReadable } from "../../platform/kv/bad_rows.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import { keys } from "../../platform/kv/keys.ts";
import { cartKey, type CartRow, putCart } from "../../shops/carts/cart.ts";
import { couponKey, type CouponRow, overCoupon } from "../../shops/coupons/row.ts";
import { ledgerKey, type LedgerRow, ownerKey } from "../../shops/orders/ledger.ts";
import type { Markers } from "../../shops/mail/markers.ts";
import type { PersonalDataDeps, PersonalDataStore } from "./personal_data.ts";

/** Data of the shop features: carts by email address, orders and the coupon by HMACs of it. */

export function cartData({ kv, clock, random }: PersonalDataDeps): PersonalDataStore {
  const idsOf = (email: string) =>
    Array.fromAsync(listReadable(kv, { prefix: keys.cartsOf(email) }), ({ key }) => String(key.at(-1)));
  async function find(email: string) {
    const carts: CartRow[] = [];
    for (const id of await idsOf(email)) {
      const [cart] = await readReadable(kv, [cartKey(id)]);
      if (cart) carts.push(cart);
    }
    return carts;
  }
  return {
    name: "carts",
    find,
    times: async (email) => (await find(email)).map(({ changedAt }) => changedAt),
    async erase(email, includes) {
      let erased = 0;
      for (const id of await idsOf(email)) {
        const read = { cart: cartKey(id), job: jobKey(cartMailJob(id).id) };
        const erasure = cas(kv, read, ({ cart, job }): Decision<number> => {
          const isOwn = cart.value?.email === email;
          if (isOwn && !includes(cart.value!.changedAt)) return { value: 0 };
          return {
            value: 1,
            write(tx) {
              tx.delete(keys.cartOf(email, id));
              // The shopper has typed another address since.
              if (!isOwn) return;
              putCart(tx, cart.value, null);
              if (job.value) writeRow(tx, job.value, null);
            },
          };
        }, { clock, random });
        erased += await orIfUnreadable(erasure, async () => {
          await kv.atomic().delete(read.cart).delete(keys.cartOf(email, id)).commit();
          return 1;
        });
      }
      return erased;
    },
  };
}

export function orderData(
  { kv, clock, random, markers }: PersonalDataDeps & { markers: Markers },
): PersonalDataStore {
  const rowsOf = (email: string) =>
    Array.fromAsync(
      listReadable<LedgerRow>(kv, { prefix: keys.ledgerOf(markers.person(email)) }),
      // The oldest of all, so that an erasure includes one that can't be read.
      ({ key, value }) => ({ order: String(key.at(-1)), ...(value ?? { at: 0 }) }),
    );
  return {
    name: "orders",
    find: rowsOf,
    times: async (email) => (await rowsOf(email)).map(({ at }) => at),
    async erase(email, includes) {
      const rows = (await rowsOf(email)).filter(({ at }) => includes(at));
      const person = markers.person(email);
      for (const { order } of rows) {
        const erasure = cas(kv, { owner: ownerKey(order) }, ({ owner }) => ({
          value: undefined,
          write(tx) {
            tx.delete(ledgerKey(person, order));
            // The shop has corrected the order's address since.
            if (owner.value?.person === person) tx.delete(owner.key);
          },
        }), { clock, random });
        await orIfUnreadable(erasure, async () => {
          await kv.atomic().delete(ledgerKey(person, order)).delete(ownerKey(order)).commit();
        });
      }
      return rows.length;
    },
  };
}

/** Stands for a coupon that can't be read: the mailbox gets no second one. */
const UNREADABLE: CouponRow = {
  ...{ v: 1, code: "", kind: "fixed", amount: 0, createdAt: 0, expiresAt: 0 },
  ...{ state: "over", neverCreated: true },
};

/** Erases whom a coupon was for. The coupon stays under the mailbox's HMAC, because each mailbox gets only one. */
export function couponData(
  { kv, clock, random, markers }: PersonalDataDeps & { markers: Markers },
): PersonalDataStore {
  const keyOf = (email: string) => couponKey(markers.mailbox(email));
  async function find(email: string) {
    const [coupon] = await readReadable(kv, [keyOf(email)]);
    return coupon?.to?.email === email ? [coupon] : [];
  }
  return {
    name: "coupons",
    find,
    times: async (email) => (await find(email)).map(({ createdAt }) => createdAt),
    erase(email, includes) {
      const erasure = cas(kv, { coupon: keyOf(email) }, ({ coupon: { key, value } }): Decision<number> => {
        if (value?.to?.email !== email || !includes(value.createdAt)) return { value: 0 };
        return { value: 1, write: (tx) => void tx.set(key, overCoupon(value)) };
      }, { clock, random });
      return orIfUnreadable(erasure, async () => {
        await kv.set(keyOf(email), UNREADABLE);
        return 1;
      });
    },
  };
}
