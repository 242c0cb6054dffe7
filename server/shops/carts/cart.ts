import { z } from "zod";
import type { Cart } from "../../../shared/contract.ts";
import { CART_MAX_ITEMS, CART_RETENTION_MS } from "../../../shared/limits.ts";
import { type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { AtomicOperation, KvU64 } from "../../platform/kv/port.ts";
import type { MailAttempt } from "../mail/sending.ts";
import { ItemSchema, money, webAddress } from "../systems/item.ts";

/** The cart of one checkout session. The session itself is not stored: `id` is its HMAC. */
export interface CartRow {
  v: 1;
  id: string;
  /** In lower case; absent until someone has typed one. */
  email?: string;
  /** Absent until the page or the shop's server has sent it. */
  content?: Cart;
  /** Unix milliseconds, like every time here. */
  createdAt: number;
  /** When the address or content last changed. */
  changedAt: number;
  /** The cart's one reminder; set just before it is sent. */
  mail?: MailAttempt;
  /** Its share of `cartBytes`, in bytes; absent in rows of earlier versions, which are not counted. */
  size?: number;
}

/** Returns the key of a cart. */
export const cartKey = (id: string): Key<CartRow> => typed(keys.cart(id));
/** Returns the key of the size of all carts together, in bytes. */
export const cartBytesKey = (): Key<KvU64> => typed(keys.cartBytes());

/** The content of a cart as it is sent; unknown fields are dropped. */
export const CartSchema = z.object({
  items: z.array(ItemSchema).max(CART_MAX_ITEMS),
  total: money,
  currency: z.string().regex(/^[A-Z]{3}$/, "must be a code like EUR"),
  url: webAddress,
});

export type SentCart = z.output<typeof CartSchema>;

/** Returns whether a cart is too old to use; its row may not be erased yet. */
export function isExpired(cart: CartRow, now: number): boolean {
  return now - cart.changedAt >= CART_RETENTION_MS;
}

/** Allowance for the index entries, the keys and the reminder's job. */
const BYTES_BESIDE_CONTENT = 1500;

/** Returns a cart's share of the limit for all carts, in bytes. It does not depend on the reminder. */
export function sizeOf({ email, content }: Pick<CartRow, "email" | "content">): number {
  const text = JSON.stringify({ email, content });
  return new TextEncoder().encode(text).length + BYTES_BESIDE_CONTENT;
}

/**
 * Writes a cart with its index entries (by time and by address) and the size of all carts; null erases it. The caller
 * checks the old version.
 */
export function putCart(tx: AtomicOperation, before: CartRow | null, after: CartRow | null): void {
  const size = after ? sizeOf(after) : 0;
  const grown = size - (before?.size ?? 0);
  // A sum wraps around, so a negative number subtracts. Unlike a set, it conflicts with no other commit.
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
