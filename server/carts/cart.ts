import { z } from "zod";
import type { Cart } from "../../shared/contract.ts";
import { CART_MAX_ITEMS, CART_RETENTION_MS } from "../../shared/limits.ts";
import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { CartMail } from "../mail/sending.ts";
import { ItemSchema, money, webAddress } from "../shop/item.ts";

/** The cart of one checkout session. The session itself is not kept: `id` is its HMAC. */
export interface CartRow {
  v: 1;
  id: string;
  /** Lowercased; absent until somebody typed one. */
  email?: string;
  /** Absent until the page told what lies in it. */
  content?: Cart;
  /** Unix milliseconds, like every time here. */
  createdAt: number;
  /** When address or content last became another. */
  changedAt: number;
  /** Its one mail, from the moment before it is sent. */
  mail?: CartMail;
  /** Bytes that it counts for in `cartBytes`; absent in rows of earlier versions, which count for nothing. */
  size?: number;
}

/** Returns the key of a cart. */
export const cartKey = (id: string): Key<CartRow> => typed(keys.cart(id));
/** Returns the key of the bytes that all carts together count for. */
export const cartBytesKey = (): Key<Deno.KvU64> => typed(keys.cartBytes());

/** What a page may say of a cart; unknown members are dropped. */
export const CartSchema = z.object({
  items: z.array(ItemSchema).max(CART_MAX_ITEMS),
  total: money,
  currency: z.string().regex(/^[A-Z]{3}$/, "must be a code like EUR"),
  url: webAddress,
});

export type SentCart = z.output<typeof CartSchema>;

/** A cart is over this long after its last change, whether or not its row has been erased by then. */
export function isOver(cart: CartRow, now: number): boolean {
  return now - cart.changedAt >= CART_RETENTION_MS;
}

/** Index entries, keys and the job of a cart's mail. */
const BYTES_BESIDE_CONTENT = 1500;

/** Returns what a cart counts for in the site-wide cap, in bytes; a change of its mail does not change it. */
export function sizeOf({ email, content }: Pick<CartRow, "email" | "content">): number {
  const text = JSON.stringify({ email, content });
  return new TextEncoder().encode(text).length + BYTES_BESIDE_CONTENT;
}

/**
 * Write a cart and keep its places, by time and by address, and the size of all carts; null erases it. The caller
 * checks the old version.
 */
export function putCart(tx: Deno.AtomicOperation, before: CartRow | null, after: CartRow | null): void {
  const size = after ? sizeOf(after) : 0;
  const grown = size - (before?.size ?? 0);
  // A sum wraps around, so that a negative one takes away; and it makes no other commit lose its race.
  if (grown !== 0) tx.sum(cartBytesKey(), BigInt.asUintN(64, BigInt(grown)));
  if (before) {
    tx.delete(keys.cartByTime(before.changedAt, before.id));
    if (before.email !== undefined && before.email !== after?.email) {
      tx.delete(keys.cartOf(before.email, before.id));
    }
  }
  if (after) {
    tx.set(cartKey(after.id), { ...after, size } satisfies CartRow).set(
      keys.cartByTime(after.changedAt, after.id),
      1,
    );
    if (after.email !== undefined) tx.set(keys.cartOf(after.email, after.id), 1);
  } else if (before) tx.delete(cartKey(before.id));
}
