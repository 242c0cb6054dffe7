import { readRow } from "../../kv/key.ts";
import { signupKey, type SignupRecord } from "../../signup/record/row.ts";
import {
  consentsWithText,
  type ConsentWithText,
  type TimelineEntry,
  timelineOf,
} from "../../subscribers/timeline.ts";
import type { Page } from "../page.ts";
import { Card, Empty } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Badge } from "../parts/notice.tsx";
import { Moment } from "../parts/table.tsx";
import { Refusal } from "../refusal.ts";
import type { View } from "../view.ts";
import { listName, STATUS_TONES } from "./subscribers.tsx";

/** Longer ones are in no key. */
const LONGEST = 254;

export const subscriberPage: Page = {
  path: "/subscriber",
  title: "One signup",
  lead: "Everything that is known of it, and what may be done about it.",
  capability: "view",
  async render(view) {
    if (!view.unread && !view.query.has("email")) {
      return (
        <Card>
          <Empty title="No signup is chosen">
            <a href={view.href("/subscribers")}>Choose one from the subscribers</a>
          </Empty>
        </Card>
      );
    }
    const record = await recordOf(view);
    const consents = await consentsWithText(view.app.kv, record);
    const moments = timelineOf(record, consents);
    return (
      <>
        <p class="back">
          <a href={view.href("/subscribers")}>All subscribers</a>
        </p>
        <Facts view={view} record={record} />
        <Card title="What may be done" id="actions">
          <Acts view={view} record={record} />
        </Card>
        <Card title="Timeline" lead="The oldest first. Only what this service has seen itself.">
          <ol class="timeline">
            {moments.map((moment, index) => <Line key={index} moment={moment} />)}
          </ol>
        </Card>
        <Receipt view={view} record={record} consents={consents} />
      </>
    );
  },
};

/** @throws {Refusal} when there is no such signup */
async function recordOf(view: View): Promise<SignupRecord> {
  const [email, list] = [view.query.get("email") ?? "", view.query.get("list") ?? ""];
  const may = [email, list].every((part) => part.length <= LONGEST && part.isWellFormed());
  const record = may ? await readRow(view.app.kv, signupKey(email, list)) : null;
  if (!record) throw new Refusal(404, "unknown_signup", "There is no such signup: it may have been erased.");
  return record;
}

function Facts({ view, record }: { view: View; record: SignupRecord }) {
  const { email, list, status, since, listStatus, name, reason, tags, source, form } = record;
  return (
    <Card title={email}>
      <dl class="facts">
        <dt>Status</dt>
        <dd>
          <Badge kind={STATUS_TONES[status]}>{status}</Badge> since <Moment at={since} />
          {reason && <p class="help">{reason}</p>}
        </dd>
        <dt>At the list</dt>
        <dd>{listStatus ?? "not asked yet"}</dd>
        <dt>List</dt>
        <dd>{listName(view, list)}</dd>
        {name && (
          <>
            <dt>Name</dt>
            <dd>{name}</dd>
          </>
        )}
        <dt>First came by</dt>
        <dd>{form ? `${source}, form ${form}` : source}</dd>
        {tags.length > 0 && (
          <>
            <dt>Tags</dt>
            <dd>{tags.join(", ")}</dd>
          </>
        )}
      </dl>
    </Card>
  );
}

function Acts({ view, record }: { view: View; record: SignupRecord }) {
  const { email, list, status, listStatus } = record;
  const match = { email, list };
  const waits = status === "pending" || status === "expired";
  return (
    <>
      <div class="buttons">
        <PostForm view={view} action="cfbe_check_signup" match={match} class="inline">
          <button type="submit">Check now</button>
        </PostForm>
        {waits && (
          <PostForm view={view} action="cfbe_resend_confirmation" match={match} class="inline">
            <button type="submit">Send the confirmation again</button>
          </PostForm>
        )}
        {listStatus === "unsubscribed" && (
          <Confirm
            view={view}
            id="allow-again"
            button="Allow again"
            title="Bring this person back?"
            action="cfbe_allow_again"
            match={match}
            yes="Allow again"
            danger={false}
          >
            <p>
              They left the list. The provider makes them active again at once, without another confirmation:
              do this only if they asked you for it, and say how. It is kept in the timeline.
            </p>
            <TextField path="note" label="How they asked" required minLength={3} autocomplete="off" />
          </Confirm>
        )}
        <button type="button" data-print>Print the receipt</button>
        <a class="button" href={view.href("/requests")}>Privacy request</a>
      </div>
      <p class="help">
        A check asks the provider what it says of the address. A mailbox gets one resend a day and three
        confirmation emails in 24 hours, whoever asks.
      </p>
    </>
  );
}

function Line({ moment }: { moment: TimelineEntry }) {
  const { at, title, detail, tone, consent } = moment;
  return (
    <li class={tone}>
      <Moment at={at} />
      <strong>{title}</strong>
      {detail && <p>{detail}</p>}
      {consent && <Consent consent={consent} />}
    </li>
  );
}

function Consent({ consent }: { consent: ConsentWithText }) {
  const { given, text, ip, locale } = consent;
  return (
    <>
      {text === undefined ? <p class="help">No consent was asked for beyond the signup itself.</p> : (
        <>
          <p class="help">{given ? "Agreed to:" : "Was shown, and did not tick:"}</p>
          <blockquote lang={locale}>{text}</blockquote>
        </>
      )}
      <p class="help">From {ip ?? "an IP address that is not kept"}, in {locale}.</p>
    </>
  );
}

/** What is printed: the proof alone, without the admin around it. */
function Receipt(
  { view, record, consents }: { view: View; record: SignupRecord; consents: readonly ConsentWithText[] },
) {
  const { email, list, confirmed } = record;
  return (
    <section class="card receipt" aria-labelledby="receipt-title">
      <h2 id="receipt-title">Proof of consent</h2>
      <p class="lead">As it is kept, for the person or for an authority. Times are UTC.</p>
      <dl class="facts">
        <dt>Address</dt>
        <dd>{email}</dd>
        <dt>List</dt>
        <dd>{listName(view, list)} ({list})</dd>
        <dt>Confirmed</dt>
        <dd>{confirmed ? `${utc(confirmed.at)}, noticed by ${confirmed.by}` : "not yet"}</dd>
      </dl>
      {consents.map((consent) => (
        <article key={consent.id}>
          <h3>{utc(consent.at)}</h3>
          <Consent consent={consent} />
          <p class="help">
            By {consent.source}
            {consent.form && `, form ${consent.form}`}
            {consent.origin && `, on ${consent.origin}`}.
            {consent.textHash && ` SHA-256 of the text: ${consent.textHash}.`}
          </p>
        </article>
      ))}
      <p class="help">Made {utc(view.now)} by {view.app.config.baseUrl}.</p>
    </section>
  );
}

function utc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
