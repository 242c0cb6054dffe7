import { confirmationMarker } from "../../signup/delivery/confirmation_marker.ts";
import {
  type ActionRefusal,
  CANNOT_RESUBSCRIBE,
  refusalText,
  resendRefusal,
} from "../../subscribers/actions.ts";
import { readRow } from "../../kv/key.ts";
import { signupKey, type SignupRecord } from "../../signup/record/row.ts";
import {
  CONFIRMED_BY,
  consentsWithText,
  type ConsentWithText,
  signedUpVia,
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
import { languageName } from "./language_name.ts";
import { sourceTitle } from "./source_titles.ts";
import type { View } from "../view.ts";
import { listName } from "./list_name.ts";
import { STATUS_TONES } from "./status_titles.ts";

/** No key contains a longer address or list. */
const MAX_CHARACTERS = 254;

export const subscriberPage: Page = {
  path: "/subscriber",
  title: "Signup",
  heading: ({ query, unreadable }) => unreadable ? undefined : query.get("email") || undefined,
  capability: "personal",
  async render(view) {
    if (!view.unreadable && !view.query.has("email")) {
      return (
        <Card>
          <Empty title="No signup selected">
            <a href={view.href("/subscribers")}>Select one on the Subscribers page</a>
          </Empty>
        </Card>
      );
    }
    const record = await recordOf(view);
    const consents = await consentsWithText(view.app.kv, record);
    const { kv, keyring, provider } = view.app;
    const marker = await readRow(kv, confirmationMarker(keyring, record.email));
    const moments = timelineOf(record, consents);
    return (
      <>
        <p class="back">
          <a href={view.href("/subscribers")}>All subscribers</a>
        </p>
        <Facts view={view} record={record} />
        <Card title="Actions" id="actions">
          <Actions view={view} record={record} refusal={resendRefusal(provider, record, marker, view.now)} />
        </Card>
        <Card title="Timeline" lead="Oldest first. Shows only events that cfbe recorded.">
          <ol class="timeline">
            {moments.map((moment, index) => <TimelineItem key={index} moment={moment} />)}
          </ol>
        </Card>
        <Proof
          view={view}
          record={record}
          consents={consents}
        />
      </>
    );
  },
};

/** @throws {Refusal} when there is no such signup */
async function recordOf(view: View): Promise<SignupRecord> {
  const [email, list] = [view.query.get("email") ?? "", view.query.get("list") ?? ""];
  const may = [email, list].every((part) => part.length <= MAX_CHARACTERS && part.isWellFormed());
  const record = may ? await readRow(view.app.kv, signupKey(email, list)) : null;
  if (!record) throw new Refusal(404, "unknown_signup", "Signup not found. It may have been erased.");
  return record;
}

function Facts({ view, record }: { view: View; record: SignupRecord }) {
  const { list, status, since, listStatus, name, reason, rejoinUrl, tags, source, form } = record;
  const { showsPending } = view.app.provider.capabilities;
  return (
    <Card>
      <dl class="facts">
        <dt>Status</dt>
        <dd>
          <Badge kind={STATUS_TONES[status]}>{status}</Badge> since <Moment at={since} />
          {reason && <p class="help">{reason}</p>}
          {rejoinUrl && (
            <p class="help">
              Ask them to sign up there: <a href={rejoinUrl} rel="noreferrer">the provider's form</a>
            </p>
          )}
        </dd>
        <dt>List status</dt>
        <dd>
          {listStatus ?? "not checked yet"}
          {listStatus === "pending" && !showsPending && (
            <p class="help">
              As far as cfbe knows: this provider shows an address only after its confirmation.
            </p>
          )}
        </dd>
        <dt>List</dt>
        <dd>{listName(view, list)}</dd>
        {name && (
          <>
            <dt>Name</dt>
            <dd>{name}</dd>
          </>
        )}
        <dt>First signed up via</dt>
        <dd>{sourceTitle(form ?? source)}</dd>
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

function Actions(
  { view, record, refusal }: {
    view: View;
    record: SignupRecord;
    /** Why the confirmation email can't be resent now. */
    refusal: ActionRefusal | undefined;
  },
) {
  const { email, list, status, listStatus } = record;
  const match = { email, list };
  const waits = status === "pending" || status === "expired";
  const hasLeft = listStatus === "unsubscribed";
  const { reactivation } = view.app.provider.capabilities;
  return (
    <>
      <div class="buttons">
        <PostForm view={view} action="cfbe_check_signup" match={match} class="inline">
          <button type="submit">Check now</button>
        </PostForm>
        {waits && (
          <PostForm view={view} action="cfbe_resend_confirmation" match={match} class="inline">
            <button
              type="submit"
              disabled={refusal !== undefined}
              aria-describedby={refusal && "resend-refusal"}
            >
              Resend confirmation
            </button>
          </PostForm>
        )}
        {hasLeft && reactivation && (
          <Confirm
            view={view}
            id="allow-again"
            button="Resubscribe"
            title="Resubscribe this person?"
            action="cfbe_allow_again"
            match={match}
            yes="Resubscribe"
            danger={false}
          >
            <p>
              They unsubscribed from this list. The provider reactivates them immediately, without another
              confirmation. Do this only if they asked you to. Your note about how they asked is kept in the
              timeline.
            </p>
            <TextField path="note" label="How did they ask?" required minLength={3} autocomplete="off" />
          </Confirm>
        )}
        <button type="button" data-print>Print proof of consent</button>
        <a class="button" href={view.href("/requests")}>Export or erase data</a>
      </div>
      {hasLeft && !reactivation && <p class="help">{CANNOT_RESUBSCRIBE}</p>}
      {waits && refusal && <p class="help" id="resend-refusal">{refusalText(refusal)}</p>}
      <p class="help">
        “Check now” fetches the current status from the provider. Each mailbox gets at most one resend per day
        and three confirmation emails in 24 hours.
      </p>
    </>
  );
}

function TimelineItem({ moment }: { moment: TimelineEntry }) {
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
      {text === undefined ? <p class="help">No consent text was shown.</p> : (
        <>
          <p class="help">{given ? "Agreed to:" : "Shown but not ticked:"}</p>
          <blockquote lang={locale}>{text}</blockquote>
        </>
      )}
      <p class="help">
        {ip === null ? "IP address not stored." : `IP ${ip}.`} Language: {languageName(locale)}.
      </p>
    </>
  );
}

/** The only part of the page that is printed. */
function Proof(
  { view, record, consents }: { view: View; record: SignupRecord; consents: readonly ConsentWithText[] },
) {
  const { email, list, confirmed } = record;
  return (
    <section class="card proof" aria-labelledby="proof-title">
      <h2 id="proof-title">Proof of consent</h2>
      <p class="lead">
        Record of consent, for the data subject or a supervisory authority. Times are in UTC.
      </p>
      <dl class="facts">
        <dt>Email address</dt>
        <dd>{email}</dd>
        <dt>List</dt>
        <dd>{listName(view, list)} ({list})</dd>
        <dt>Confirmed</dt>
        <dd>{confirmed ? `${utc(confirmed.at)} (${CONFIRMED_BY[confirmed.by]})` : "not yet"}</dd>
      </dl>
      {consents.map((consent) => (
        <article key={consent.id}>
          <h3>{utc(consent.at)}</h3>
          <Consent consent={consent} />
          <p class="help">
            {signedUpVia(consent)}
            {consent.textHash && ` SHA-256 of the text: ${consent.textHash}.`}
          </p>
        </article>
      ))}
      <p class="help">Generated {utc(view.now)} by {view.app.config.baseUrl}.</p>
    </section>
  );
}

function utc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
