import type { VNode } from "preact";
import type { Faults } from "../account/faults.ts";
import type { DeliveryRow, WebhookRow } from "../account/rows.ts";
import { layout, type SandboxUrls, timestamp } from "./layout.tsx";
import { table } from "./table.tsx";

export interface WebhookView {
  webhook: WebhookRow | null;
  deliveries: DeliveryRow[];
  /** URL of this service's own webhook route. */
  ownUrl: string;
  faults: Faults;
}

const FIGURES: readonly (readonly [string, DeliveryRow["outcome"]])[] = [
  ["Delivered", "delivered"],
  ["Failed", "failed"],
  ["Lost (simulated)", "lost"],
  ["In progress", "waiting"],
];

/** Renders the registration and the last calls with their results. */
export function webhookPage(urls: SandboxUrls, view: WebhookView): string {
  const { webhook, deliveries, ownUrl } = view;
  const isOwn = webhook?.url === ownUrl;
  const body = (
    <>
      <h1>Webhook</h1>
      <section class="card" aria-labelledby="registration">
        <h2 id="registration">Registration</h2>
        {webhook
          ? (
            <p>
              <span class="tag active">registered</span> <code class="url">{webhook.url}</code>
            </p>
          )
          : (
            <p>
              <span class="tag unverified">not registered</span>{" "}
              Confirmations are only found by polling, within 15 minutes.
            </p>
          )}
        <dl class="figures">
          {FIGURES.map(([name, outcome]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{deliveries.filter((delivery) => delivery.outcome === outcome).length}</dd>
            </div>
          ))}
        </dl>
        <div class="actions">
          {!isOwn && (
            <form method="post" action={`${urls.sandbox}/webhook/register`}>
              <button type="submit" class="primary">Register this service</button>
            </form>
          )}
          {webhook && (
            <form method="post" action={`${urls.sandbox}/webhook/remove`}>
              <button type="submit">Remove</button>
            </form>
          )}
        </div>
        {!isOwn && (
          <p class="small">
            Registers <code class="url">{ownUrl}</code>.
          </p>
        )}
      </section>
      <div>
        <h2 id="log">The last {deliveries.length === 1 ? "call" : `${deliveries.length || ""} calls`}</h2>
        {deliveries.length === 0
          ? <p class="empty">No calls yet.</p>
          : table("log", COLUMNS, deliveries.map(deliveryRow))}
      </div>
    </>
  );
  return layout(urls, { title: "Webhook", tab: "webhook", faults: view.faults, body });
}

const OUTCOME_TAGS: Readonly<Record<DeliveryRow["outcome"], string>> = {
  delivered: "active",
  failed: "failed",
  lost: "paused",
  waiting: "unverified",
};

const COLUMNS = ["Time", "Event", "Email", "Result", "Attempts", "Response"];

const deliveryRow = (row: DeliveryRow): VNode => (
  <tr>
    <td>{timestamp(row.at)}</td>
    <td>{row.type}</td>
    <td class="to">{row.email}</td>
    <td>
      <span class={`tag ${OUTCOME_TAGS[row.outcome]}`}>{row.outcome}</span>
    </td>
    <td class="number">{row.attempts}</td>
    <td>{row.answer}</td>
  </tr>
);
