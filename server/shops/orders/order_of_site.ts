import { readEntries } from "../../platform/kv/entries.ts";
import { readRow } from "../../platform/kv/key.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Markers } from "../mail/markers.ts";
import type { Order, OrderMarker } from "../systems/order.ts";
import { ledgerKey, type LedgerRow, ownerKey } from "./ledger.ts";

/** An order, and the URL of the connected site that reports it; undefined for a shop that was set up by hand. */
export interface ReportedOrder {
  order: Order;
  site: string | undefined;
}

/** Which stored order a report is about. */
export interface StoredOrder {
  /** HMAC of its ID. */
  id: string;
  /** Returns whether the order with this marker is still the one that the report is about. Pure. */
  isMeant(marker: OrderMarker | null): boolean;
}

/**
 * Returns the stored order that a report is about. Each connected site counts its orders from 1, so an ID alone does not
 * name an order. The first order with an ID is stored under the ID alone, like those of earlier versions, so that it
 * stays known when its shop is connected differently. An order of another site with that ID is stored under both.
 */
export async function storedOrderOf(
  { kv, markers }: { kv: Kv; markers: Markers },
  report: ReportedOrder,
): Promise<StoredOrder> {
  const { order, site } = report;
  const [first, own] = [markers.order(order.id), markers.orderOfSite(site ?? "", order.id)];
  const rows = await readEntries(kv, {
    seen: markers.orderSeen(first),
    owner: ownerKey(first),
    ownSeen: markers.orderSeen(own),
    ownOwner: ownerKey(own),
  });
  if (rows.ownSeen.value || rows.ownOwner.value) return { id: own, isMeant: () => true };
  const owner = rows.owner.value;
  const counted = owner && await readRow(kv, ledgerKey(owner.person, first));
  const isMeant = (marker: OrderMarker | null) => isSameOrder(report, marker, counted);
  return isMeant(rows.seen.value) ? { id: first, isMeant } : { id: own, isMeant: () => true };
}

/** Returns whether a report is about the order with this marker and row in the ledger, or about a new one. */
function isSameOrder(
  { order: { orderedAt }, site }: ReportedOrder,
  marker: OrderMarker | null,
  counted: LedgerRow | null,
): boolean {
  if (marker?.site === site) return true;
  const knownAt = marker?.orderedAt ?? counted?.at;
  if (knownAt !== undefined) return orderedAt === knownAt;
  // Earlier versions did not store when an order was placed. One that was placed after the last change is another one.
  return !marker || orderedAt === undefined || orderedAt <= (marker.changedAt ?? marker.at);
}
