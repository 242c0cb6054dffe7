import { z } from "zod";
import type { Provider } from "../../providers/port/port.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { Markers } from "../mail/markers.ts";
import type { OnceMail } from "../mail/once_mail.ts";
import { type Order, OrderSchema, type OrderStatus } from "../systems/order.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import type { JobRow } from "../../platform/jobs/row.ts";

/** The template's data. Times are ISO 8601. */
export interface OrderMailData {
  id: string;
  number: string;
  status: Order["status"];
  name: string;
  total: number;
  currency: string;
  orderedAt: string;
  items: Order["items"];
  /** Number of items that did not fit. */
  itemsLeftOut: number;
}

const Payload = z.object({
  /** HMAC of the order's ID. */
  order: z.string(),
  email: z.string(),
  data: z.looseObject({ status: OrderSchema.shape.status }),
});
type Payload = z.output<typeof Payload>;

const NAME = "cfbe_order_mail";

/** Returns the job of an order's email. There is one per order: a newer status replaces a waiting one. */
export function orderMailJob(order: string, { email, data }: { email: string; data: OrderMailData }) {
  const payload: Payload = { order, email, data: { ...data } };
  return { id: `order_mail:${order}`, name: NAME, payload } as const;
}

/** Returns the order and status of a job's row, or undefined for other jobs. */
export function orderMailOf(row: JobRow): { order: string; status: OrderStatus } | undefined {
  const payload = row.name === NAME ? Payload.safeParse(row.payload).data : undefined;
  return payload && { order: payload.order, status: payload.data.status };
}

interface Options {
  settings: SettingsStore;
  provider: Provider;
  markers: Markers;
  onceMail: OnceMail;
}

/**
 * Emails a buyer about the status of their order, at most once per order and status. If the order has another status by
 * the time of sending, there is no email about the old one.
 */
export function orderMail({ settings, provider, markers, onceMail }: Options): JobDefinition<Payload> {
  return {
    name: NAME,
    payload: Payload,
    async handle(job) {
      const { order, email, data } = job.payload;
      const { general, orders } = settings.current();
      if (!general.modules.orderEmails) return { kind: "cancel", reason: "The module is off." };
      if (!provider.capabilities.transactional) {
        return { kind: "cancel", reason: "The provider cannot send transactional emails." };
      }
      const template = orders.templates[data.status];
      if (!template) return { kind: "cancel", reason: `There is no template for ${data.status}.` };
      if (settings.apiKey() === "") return { kind: "retry", reason: "No provider is configured." };
      return await onceMail(job, {
        marker: markers.orderMailed(order, data.status),
        kind: "order",
        condition: {
          key: markers.orderSeen(order),
          reason({ value }) {
            const status = value?.status;
            return status === data.status ? undefined : `the order is now ${status ?? "unknown"}`;
          },
        },
        mail: { template, email, data },
      });
    },
  };
}
