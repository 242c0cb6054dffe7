import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { OrderStatus } from "../shop/order.ts";

/**
 * What each order of a person counts for, kept by order: an order that is told of again, in whatever state, takes
 * the place of what it said before. Nothing here is added up until somebody asks, so nothing can be added twice.
 */
export interface LedgerRow {
  v: 1;
  status: OrderStatus;
  total: number;
  /** Empty where the shop did not say. */
  currency: string;
  /** When it was placed; when it was first told of, where the shop did not say. Unix milliseconds. */
  at: number;
}

/** Whose order it is. The address is sealed, to bring their numbers up to date should it become another's. */
export interface OwnerRow {
  v: 1;
  person: string;
  sealed: string;
}

/** Returns the key of what an order counts for; `person` and `order` are HMACs. */
export const ledgerKey = (person: string, order: string): Key<LedgerRow> => typed(keys.ledger(person, order));
/** Returns the key of whose order it is; `order` is an HMAC. */
export const ownerKey = (order: string): Key<OwnerRow> => typed(keys.orderOwner(order));

/** A person's orders in numbers. */
export interface OrderTotals {
  /** Orders that were paid for and stand. */
  count: number;
  /** Their sum, in the currency of the last one alone: amounts of different currencies have no sum. */
  spent: number;
  /** Empty without any. */
  currency: string;
  /** When the last one was placed; Unix milliseconds. */
  lastAt?: number;
}

/** Amounts have three decimals at most, in any currency. */
const UNITS_PER_AMOUNT = 1000;

/** Whether an order is paid for and stands. */
function counts(status: OrderStatus): boolean {
  return status === "processing" || status === "completed";
}

/** Independent of the order of the rows. */
export function totalsOf(rows: readonly LedgerRow[]): OrderTotals {
  const counted = rows.filter(({ status }) => counts(status));
  const last = counted.reduce<LedgerRow | undefined>((one, other) => later(one, other), undefined);
  if (!last) return { count: 0, spent: 0, currency: "" };
  const spent = counted.filter(({ currency }) => currency === last.currency)
    .reduce((sum, { total }) => sum + Math.round(total * UNITS_PER_AMOUNT), 0) / UNITS_PER_AMOUNT;
  return { count: counted.length, spent, currency: last.currency, lastAt: last.at };
}

function later(one: LedgerRow | undefined, other: LedgerRow): LedgerRow {
  if (!one || other.at > one.at) return other;
  return other.at === one.at && other.currency > one.currency ? other : one;
}

export async function readLedger(kv: Deno.Kv, person: string): Promise<LedgerRow[]> {
  return await Array.fromAsync(kv.list<LedgerRow>({ prefix: keys.ledgerOf(person) }), ({ value }) => value);
}
