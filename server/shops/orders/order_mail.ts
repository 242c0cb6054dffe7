import { withoutLinks } from "../mail/without_links.ts";
import { addJob } from "../../platform/jobs/add.ts";
import { type OrderMailData, orderMailJob } from "./order_mail_job.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { Markers } from "../mail/markers.ts";
import { type Order, type OrderMarker, RECENT_ORDER_MS } from "../systems/order.ts";
import { isOld, type OrderEffect, preparedEffect } from "./orders.ts";

/** Fits twice into a job's row of 64 KiB, at up to two bytes per character, with room for other fields. */
const ITEMS_MAX_CHARACTERS = 12_000;

/** Returns the template's data for an order. Long lists of items are cut off. */
export function orderMailData(order: Order): OrderMailData {
  let length = 0;
  const firstLeftOut = order.items.findIndex((item) =>
    (length += JSON.stringify(item).length) > ITEMS_MAX_CHARACTERS
  );
  const items = firstLeftOut === -1 ? order.items : order.items.slice(0, firstLeftOut);
  return {
    id: order.id,
    number: order.number ?? order.id,
    status: order.status,
    name: withoutLinks(order.name ?? ""),
    total: order.total,
    currency: order.currency ?? "",
    orderedAt: order.orderedAt === undefined ? "" : new Date(order.orderedAt).toISOString(),
    items,
    itemsLeftOut: order.items.length - items.length,
  };
}

/**
 * Returns whether a report of an order may send an email. A shop that reports all its old orders again must not cause
 * emails about them.
 */
export function shouldSendMail(order: Order, known: OrderMarker | null, now: number): boolean {
  if (order.changedAt !== undefined && now - order.changedAt > RECENT_ORDER_MS) return false;
  return known !== null || !isOld(order, now);
}

/**
 * Returns the effect that queues the email about an order's status, if the status has a template and its email was not
 * sent before. Reports that arrive while cfbe is deactivated send no email.
 */
export function orderMailEffect(
  { markers, settings, isActive }: { markers: Markers; settings: SettingsStore; isActive: () => boolean },
): OrderEffect {
  return {
    prepare({ order, id, email }) {
      const { general, orders } = settings.current();
      if (!isActive() || !general.modules.orderEmails || !orders.templates[order.status]) {
        return Promise.resolve(undefined);
      }
      const job = orderMailJob(id, { email, data: orderMailData(order) });
      return Promise.resolve(preparedEffect({
        keys: { mailed: markers.orderMailed(id, order.status), existing: jobKey(job.id) },
        decide({ mailed, existing }, known, now) {
          const isDue = mailed.value === null && shouldSendMail(order, known, now);
          return (tx) => {
            if (isDue) addJob(tx, existing, { ...job, due: now }, now);
          };
        },
      }));
    },
  };
}
