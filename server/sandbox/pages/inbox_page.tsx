import type { VNode } from "preact";
import type { Faults } from "../account/faults.ts";
import { TEST_ADDRESSES } from "../account/test_addresses.ts";
import type { MailPage } from "../account/mail.ts";
import type { MailRow, SubscriberStatus } from "../account/rows.ts";
import { layout, type SandboxUrls, timestamp } from "./layout.tsx";
import { linksOf } from "./links.ts";

export interface InboxView {
  page: MailPage;
  /** Current status of each email's subscription, by token. */
  statuses: ReadonlyMap<string, SubscriberStatus>;
  /** A part of the addresses whose emails are shown; empty for all. */
  email: string;
  /** Whether there are newer emails on a page before this one. */
  paged: boolean;
  faults: Faults;
}

const STATUS_WORDS: Readonly<Record<SubscriberStatus, string>> = {
  unverified: "waiting for confirmation",
  active: "active",
  paused: "paused",
  unsubscribed: "unsubscribed",
};

/** Renders every email that a real provider would have sent, newest first. */
export function inboxPage(urls: SandboxUrls, view: InboxView): string {
  const { mails, before } = view.page;
  const filter = view.email ? `email=${encodeURIComponent(view.email)}&` : "";
  const body = (
    <div class="columns">
      <section aria-labelledby="inbox">
        <div class="head">
          <h1 id="inbox">Inbox</h1>
          <form class="search" method="get" action={urls.sandbox} role="search">
            <label for="email">Filter by recipient</label>
            <input
              id="email"
              name="email"
              type="search"
              autocapitalize="none"
              autocomplete="off"
              spellcheck={false}
              placeholder="ada, or example.com"
              value={view.email}
            />
            <button type="submit">Filter</button>
          </form>
        </div>
        {!view.paged && <p class="fresh" role="status" data-live="" data-newest={mails[0]?.id ?? ""} />}
        {mails.length === 0
          ? empty(urls, view.email, before !== undefined)
          : <ol class="mails">{mails.map((mail, index) => mailItem(urls, mail, view, index === 0))}</ol>}
        <p class="pager">
          {view.paged && <a href={`${urls.sandbox}?${filter}`}>Newest</a>}
          {before && <a href={`${urls.sandbox}?${filter}before=${before}`} rel="next">Older emails</a>}
        </p>
      </section>
      {aside()}
    </div>
  );
  return layout(urls, { title: "Inbox", tab: "inbox", faults: view.faults, body });
}

function mailItem(urls: SandboxUrls, mail: MailRow, view: InboxView, first: boolean): VNode {
  const status = mail.token ? view.statuses.get(mail.token) : undefined;
  const links = linksOf(urls, mail);
  return (
    <li>
      <details class="mail" open={first && !view.paged}>
        <summary>
          <span class="to">{mail.to}</span>
          <span class="subject">{mail.subject}</span>
          <span class="meta">
            {status && <span class={`tag ${status}`}>{STATUS_WORDS[status]}</span>} {timestamp(mail.at)}
          </span>
        </summary>
        <div class="letter">
          <p class="text">{mail.text}</p>
          {links.confirm && (
            <p>
              <a class="button" href={links.confirm}>Confirm subscription</a>
            </p>
          )}
          {links.unsubscribe && (
            <p class="small">
              <a href={links.unsubscribe}>Unsubscribe</a> · <a href={links.pause!}>Pause for 30 days</a>
            </p>
          )}
        </div>
      </details>
    </li>
  );
}

const empty = (urls: SandboxUrls, email: string, more: boolean): VNode => (
  <div class="empty">
    <img src={`${urls.sandbox}/assets/empty.svg`} alt="" width="120" height="90" />
    {email
      ? (
        <>
          <p>
            <strong>No {more ? "newer " : ""}emails to an address with “{email}”.</strong>
          </p>
          <p>
            <a href={urls.sandbox}>Show all emails</a>
          </p>
        </>
      )
      : (
        <>
          <p>
            <strong>No emails yet.</strong>
          </p>
          <p>
            Sign up on the{" "}
            <a href={`${urls.baseUrl}/demo`}>demo page</a>. The confirmation email will appear here.
          </p>
        </>
      )}
  </div>
);

const aside = (): VNode => (
  <aside aria-labelledby="magic">
    <h2 id="magic">Test addresses</h2>
    <p>
      Use any domain. You can add <code>+anything</code> to the name.
    </p>
    <dl class="magic">
      {TEST_ADDRESSES.map(({ local, effect }) => (
        <div key={local}>
          <dt>
            <code>{local}@…</code>
          </dt>
          <dd>{effect}</dd>
        </div>
      ))}
    </dl>
  </aside>
);
