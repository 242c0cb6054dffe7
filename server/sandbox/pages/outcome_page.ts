import { html } from "hono/html";
import type { ListRow, SubscriberRow } from "../account/rows.ts";
import type { Html } from "../../platform/pages/html_document.ts";
import { layout, type SandboxUrls } from "./layout.ts";

const HEADINGS: Readonly<Record<SubscriberRow["status"], string>> = {
  active: "You are subscribed",
  paused: "Your subscription is paused",
  unsubscribed: "You are unsubscribed",
  unverified: "Not confirmed yet",
};

/** Renders the result of opening a link: the current state of the subscription. */
export function outcomePage(urls: SandboxUrls, subscriber: SubscriberRow, list: ListRow): Html {
  const { status, token, email } = subscriber;
  const link = (path: string, label: string) => html`<a href="${urls.sandbox}/${path}/${token}">${label}</a>`;
  const body = html`<section class="outcome ${status}">
  <p class="mark" aria-hidden="true"></p>
  <h1>${HEADINGS[status]}</h1>
  <p><span class="to">${email}</span><br>on the list “${list.name}”</p>
  ${
    status === "paused" && subscriber.pausedUntil
      ? html`<p>until ${new Date(subscriber.pausedUntil).toISOString().slice(0, 10)}</p>`
      : ""
  }
  <p class="small">${
    status === "active"
      ? html`${link("unsubscribe", "Unsubscribe")} · ${link("pause", "Pause for 30 days")}`
      : status === "unverified"
      ? link("confirm", "Confirm subscription")
      : link("resume", "Subscribe again")
  } · <a href="${urls.sandbox}">Back to inbox</a></p>
</section>`;
  return layout(urls, { title: HEADINGS[status], body });
}

/** Renders a page with one message, for errors and missing permission. */
export function messagePage(urls: SandboxUrls, title: string, sentence: string): Html {
  const body = html`
    <section class="outcome">
      <h1>${title}</h1>
      <p>${sentence}</p>
      <p class="small"><a href="${urls.sandbox}">Go to inbox</a></p>
    </section>
  `;
  return layout(urls, { title, body });
}
