import { type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { OrderStatus } from "../systems/order.ts";

/**
 * One order in a person's ledger. A later report of the order replaces the row. Totals are computed when they are read,
 * so an order cannot count twice.
 */
export interface LedgerRow {
  v: 1;
  status: OrderStatus;
  total: number;
  /** Empty if the shop did not send it. */
  currency: string;
  /** When it was placed or, if the shop did not send that, first reported. Unix milliseconds. */
  at: number;
}

/** Whose order it is. The encrypted address serves to update their contact if the order moves to another person. */
export interface OwnerRow {
  v: 1;
  person: string;
  sealed: string;
}

/** Returns the key of an order in a person's ledger; `person` and `order` are HMACs. */
export const ledgerKey = (person: string, order: string): Key<LedgerRow> => typed(keys.ledger(person, order));
/** Returns the key of an order's owner; `order` is an HMAC. */
export const ownerKey = (order: string): Key<OwnerRow> => typed(keys.orderOwner(order));

/** Totals of a person's orders. */
export interface OrderTotals {
  /** Number of paid orders that are not canceled or refunded. */
  count: number;
  /** Sum of the orders in the currency of the latest one. */
  spent: number;
  /** Empty if no order counts. */
  currency: string;
  /** When the latest one was placed, in Unix milliseconds. */
  lastAt?: number;
}

/** Sums are computed in integers. No currency has more than three decimals. */
const UNITS_PER_AMOUNT = 1000;

/** Returns whether an order is paid and not canceled or refunded. */
function isCounted(status: OrderStatus): boolean {
  return status === "processing" || status === "completed";
}

/** Returns the totals, independent of the order of the rows. */
export function totalsOf(rows: readonly LedgerRow[]): OrderTotals {
  const counted = rows.filter(({ status }) => isCounted(status));
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

/** Returns the orders of a person. @param person HMAC of the address */
export async function readLedger(kv: Kv, person: string): Promise<LedgerRow[]> {
  return await Array.fromAsync(kv.list<LedgerRow>({ prefix: keys.ledgerOf(person) }), ({ value }) => value);
}
