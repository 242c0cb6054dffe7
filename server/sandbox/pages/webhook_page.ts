import { html } from "hono/html";
import type { Faults } from "../account/faults.ts";
import type { DeliveryRow, WebhookRow } from "../account/rows.ts";
import type { Html } from "../../platform/pages/html_document.ts";
import { layout, type SandboxUrls, timestamp } from "./layout.ts";
import { table } from "./table.ts";

export interface WebhookView {
  webhook: WebhookRow | null;
  deliveries: DeliveryRow[];
  /** URL of this service's own webhook route. */
  ownUrl: string;
  faults: Faults;
}

/** Renders the registration and the last calls with their results. */
export function webhookPage(urls: SandboxUrls, view: WebhookView): Html {
  const { webhook, deliveries, ownUrl } = view;
  const count = (outcome: DeliveryRow["outcome"]) =>
    deliveries.filter((delivery) => delivery.outcome === outcome).length;
  const body = html`
    <h1>Webhook</h1>
    <section class="card" aria-labelledby="registration">
      <h2 id="registration">Registration</h2>
      ${webhook
        ? html`<p><span class="tag active">registered</span> <code class="url">${webhook.url}</code></p>`
        : html`<p><span class="tag unverified">not registered</span> Confirmations are only found by polling, within 15 minutes.</p>`}
      <dl class="figures">
        <div><dt>Delivered</dt><dd>${count("delivered")}</dd></div>
        <div><dt>Failed</dt><dd>${count("failed")}</dd></div>
        <div><dt>Lost (simulated)</dt><dd>${count("lost")}</dd></div>
        <div><dt>In progress</dt><dd>${count("waiting")}</dd></div>
      </dl>
      <div class="actions">
        ${webhook?.url === ownUrl ? "" : html`<form method="post" action="${urls.sandbox}/webhook/register">
      <button class="primary">Register this service</button></form>`}
        ${webhook
          ? html`<form method="post" action="${urls.sandbox}/webhook/remove"><button>Remove</button></form>`
          : ""}
      </div>
      ${webhook?.url === ownUrl
        ? ""
        : html`<p class="small">Registers <code class="url">${ownUrl}</code>.</p>`}
    </section>
    <div>
      <h2 id="log">The last ${deliveries.length === 1 ? "call" : `${deliveries.length || ""} calls`}</h2>
      ${deliveries.length === 0
        ? html`<p class="empty">No calls yet.</p>`
        : table("log", COLUMNS, deliveries.map(deliveryRow))}
    </div>
  `;
  return layout(urls, { title: "Webhook", tab: "webhook", faults: view.faults, body });
}

const OUTCOME_TAGS: Readonly<Record<DeliveryRow["outcome"], string>> = {
  delivered: "active",
  failed: "failed",
  lost: "paused",
  waiting: "unverified",
};

const COLUMNS = ["Time", "Event", "Email", "Result", "Attempts", "Response"];

function deliveryRow(row: DeliveryRow): Html {
  return html`
    <tr>
      <td>${timestamp(row.at)}</td>
      <td>${row.type}</td>
      <td class="to">${row.email}</td>
      <td><span class="tag ${OUTCOME_TAGS[row.outcome]}">${row.outcome}</span></td>
      <td class="number">${row.attempts}</td>
      <td>${row.answer}</td>
    </tr>
  `;
}
