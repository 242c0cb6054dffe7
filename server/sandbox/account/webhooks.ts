import { exchange } from "../../platform/http/outbound.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { type Context, newId } from "./context.ts";
import { readFaults } from "./faults.ts";
import { readProject } from "./project.ts";
import {
  type DeliveryOutcome,
  type DeliveryRow,
  type ListRow,
  type SubscriberRow,
  webhookKey,
  type WebhookRow,
} from "./rows.ts";

/** Calls the registered webhook about changes of a subscription, as the provider does. */

export type SubscriptionEvent = "subscribe" | "unsubscribe" | "pause-subscription" | "resubscribe";

const DELIVERIES_KEPT = 50;
/** Limit for the receiver's response, which is not used. */
const BODY_BYTES = 64 * 1024;

export function readWebhook(kv: Kv): Promise<WebhookRow | null> {
  return readRow(kv, webhookKey());
}

/**
 * Sends an event in the background, with at most three attempts, each recorded in the delivery log. Not
 * durable: a restart loses calls in progress, and polling finds those changes.
 */
export function announce(
  context: Context,
  type: SubscriptionEvent,
  subscriber: SubscriberRow,
  list: ListRow,
): void {
  context.background.run("sandbox.webhook_failed", async () => {
    const [webhook, faults, project] = await Promise.all([
      readWebhook(context.kv),
      readFaults(context.kv),
      readProject(context.kv),
    ]);
    if (!webhook?.subscription || !project) return;
    const payload = {
      type,
      account: { _id: project.id, name: "Sandbox", urlFriendlyName: "sandbox" },
      project: { _id: project.id, name: project.name },
      createdAt: new Date(context.clock.now()).toISOString(),
      subscription: {
        _id: subscriber.id,
        name: subscriber.name,
        email: subscriber.email,
        status: subscriber.status,
        subscriberList: { name: list.name, _id: list.id, private: list.private },
      },
    };
    const event = { type, email: subscriber.email, body: JSON.stringify(payload) };
    if (faults.webhooks === "lose") {
      await record(context, newDelivery(context, webhook, event), "lost", "lost on purpose (simulated)");
      return;
    }
    if (faults.webhooks === "late") {
      await context.clock.sleep(context.timing.lateMs, context.background.stopping);
    }
    const times = faults.webhooks === "twice" ? 2 : 1;
    for (let time = 0; time < times; time++) await deliver(context, webhook, event);
  });
}

interface Event {
  type: string;
  email: string;
  body: string;
}

async function deliver(context: Context, webhook: WebhookRow, event: Event): Promise<void> {
  const { clock, background, timing, log } = context;
  const row = newDelivery(context, webhook, event);
  for (const pause of [0, ...timing.retryMs]) {
    if (pause > 0) await clock.sleep(pause, background.stopping);
    if (background.stopping.aborted) break;
    row.attempts++;
    const response = await post(context, webhook, event.body);
    if (response.ok) {
      log.info("sandbox.webhook_delivered", {
        type: event.type,
        attempts: row.attempts,
        answer: response.summary,
      });
      return await record(context, row, "delivered", response.summary);
    }
    await record(context, row, "waiting", response.summary);
  }
  log.warn("sandbox.webhook_failed", { type: event.type, attempts: row.attempts, answer: row.answer });
  await record(context, row, "failed", row.answer || "stopped");
}

async function post(
  { fetch, timing, background }: Context,
  webhook: WebhookRow,
  body: string,
): Promise<{ ok: boolean; summary: string }> {
  const ended = await exchange(fetch, {
    method: "POST",
    url: webhook.url,
    headers: { "content-type": "application/json", authorization: `Bearer ${webhook.secretKey}` },
    body,
    signal: background.stopping,
  }, { timeoutMs: timing.webhookTimeoutMs, bodyBytes: BODY_BYTES });
  if (ended.kind !== "answered") {
    return { ok: false, summary: ended.cause === "timeout" ? "timed out" : "no connection" };
  }
  return { ok: ended.status >= 200 && ended.status < 300, summary: `HTTP ${ended.status}` };
}

function newDelivery({ clock, random }: Context, webhook: WebhookRow, event: Event): DeliveryRow {
  return {
    v: 1,
    id: newId(random),
    at: clock.now(),
    type: event.type,
    email: event.email,
    url: webhook.url,
    outcome: "waiting",
    attempts: 0,
    answer: "",
  };
}

async function record(
  { kv }: Context,
  row: DeliveryRow,
  outcome: DeliveryOutcome,
  answer: string,
): Promise<void> {
  row.outcome = outcome;
  row.answer = answer;
  await kv.set(keys.sandboxDelivery(row.at, row.id), row);
  const rows = await Array.fromAsync(kv.list({ prefix: keys.sandboxDeliveries() }, { reverse: true }));
  for (const { key } of rows.slice(DELIVERIES_KEPT)) await kv.delete(key);
}

/** Returns the last 50 deliveries, newest first. */
export async function readDeliveries(kv: Kv): Promise<DeliveryRow[]> {
  const rows = kv.list<DeliveryRow>({ prefix: keys.sandboxDeliveries() }, {
    reverse: true,
    limit: DELIVERIES_KEPT,
  });
  return await Array.fromAsync(rows, (entry) => entry.value);
}
