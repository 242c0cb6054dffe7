import { addJob } from "../jobs/add.ts";
import { type OrderMailData, orderMailJob } from "./order_mail_job.ts";
import { jobKey } from "../jobs/row.ts";
import type { SettingsStore } from "../settings/store.ts";
import type { Markers } from "../mail/markers.ts";
import { type Order, type OrderMarker, RECENT_ORDER_MS } from "../shop/order.ts";
import { follow, isOld, type OrderEffect } from "./orders.ts";

/** Twice in a job's row of 64 KiB, at up to two bytes a character, with room for the rest. */
const ITEMS_MAX_CHARACTERS = 12_000;

export function orderMailData(order: Order): OrderMailData {
  let length = 0;
  const over = order.items.findIndex((item) =>
    (length += JSON.stringify(item).length) > ITEMS_MAX_CHARACTERS
  );
  const items = over === -1 ? order.items : order.items.slice(0, over);
  return {
    id: order.id,
    number: order.number ?? order.id,
    status: order.status,
    name: order.name ?? "",
    total: order.total,
    currency: order.currency ?? "",
    orderedAt: order.orderedAt === undefined ? "" : new Date(order.orderedAt).toISOString(),
    items,
    itemsLeftOut: order.items.length - items.length,
  };
}

/**
 * Whether news of an order is worth a mail: who has had the goods for a year must not be mailed because a shop tells
 * of all its orders again.
 */
export function deservesMail(order: Order, known: OrderMarker | null, now: number): boolean {
  if (order.changedAt !== undefined && now - order.changedAt > RECENT_ORDER_MS) return false;
  return known !== null || !isOld(order, now);
}

/**
 * Has the mail about an order's status sent, where there is a template for it and it was not sent before. News that
 * comes while the service is deactivated earns no mail.
 */
export function orderMailEffect(
  { markers, settings, isActive }: { markers: Markers; settings: SettingsStore; isActive: () => boolean },
): OrderEffect {
  return {
    begin({ order, id, email }) {
      const { general, orders } = settings.current();
      if (!isActive() || !general.modules.orderEmails || !orders.templates[order.status]) {
        return Promise.resolve(undefined);
      }
      const job = orderMailJob(id, { email, data: orderMailData(order) });
      return Promise.resolve(follow({
        keys: { mailed: markers.orderMailed(id, order.status), existing: jobKey(job.id) },
        decide({ mailed, existing }, known, now) {
          const isDue = mailed.value === null && deservesMail(order, known, now);
          return (tx) => {
            if (isDue) addJob(tx, existing, { ...job, due: now }, now);
          };
        },
      }));
    },
  };
}
