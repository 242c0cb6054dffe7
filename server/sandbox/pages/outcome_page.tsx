import type { ListRow, SubscriberRow } from "../account/rows.ts";
import { layout, type SandboxUrls } from "./layout.tsx";

const HEADINGS: Readonly<Record<SubscriberRow["status"], string>> = {
  active: "You are subscribed",
  paused: "Your subscription is paused",
  unsubscribed: "You are unsubscribed",
  unverified: "Not confirmed yet",
};

/** Renders the result of opening a link: the current state of the subscription. */
export function outcomePage(urls: SandboxUrls, subscriber: SubscriberRow, list: ListRow): string {
  const { status, token, email, pausedUntil } = subscriber;
  const link = (path: string, label: string) => <a href={`${urls.sandbox}/${path}/${token}`}>{label}</a>;
  const body = (
    <section class={`outcome ${status}`}>
      <p class="mark" aria-hidden="true" />
      <h1>{HEADINGS[status]}</h1>
      <p>
        <span class="to">{email}</span>
        <br />
        on the list “{list.name}”
      </p>
      {status === "paused" && pausedUntil && <p>until {new Date(pausedUntil).toISOString().slice(0, 10)}</p>}
      <p class="small">
        {status === "active"
          ? <>{link("unsubscribe", "Unsubscribe")} · {link("pause", "Pause for 30 days")}</>
          : status === "unverified"
          ? link("confirm", "Confirm subscription")
          : link("resume", "Subscribe again")} · <a href={urls.sandbox}>Back to inbox</a>
      </p>
    </section>
  );
  return layout(urls, { title: HEADINGS[status], body });
}

/** Renders a page with one message, for errors and missing permission. */
export function messagePage(urls: SandboxUrls, title: string, sentence: string): string {
  const body = (
    <section class="outcome">
      <h1>{title}</h1>
      <p>{sentence}</p>
      <p class="small">
        <a href={urls.sandbox}>Go to inbox</a>
      </p>
    </section>
  );
  return layout(urls, { title, body });
}
