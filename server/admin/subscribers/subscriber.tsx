import { Fragment, type VNode } from "preact";
import { fieldText } from "../../../shared/fields/field_text.ts";
import { PAGE_VALUE_NAMES, pageValue } from "../../../shared/page_values.ts";
import type { SignupPage } from "../../../shared/signup_page.ts";
import { PAGE_VALUE_LABELS } from "../../signup/attribution/page_value_labels.ts";
import { couponJob } from "../../shops/coupons/coupon_job.ts";
import { couponOf } from "../../shops/coupons/issued.ts";
import type { Erased, PersonExport } from "../../subscribers/privacy/people.ts";
import { confirmationMarker, type ConfirmationMarkerRow } from "../../signup/delivery/confirmation_marker.ts";
import { jobKey, type JobRow } from "../../platform/jobs/row.ts";
import { readRow } from "../../platform/kv/key.ts";
import { deliverJobId } from "../../signup/delivery/job.ts";
import { providerOf } from "../../signup/record/provider_of.ts";
import { signupKey, type SignupRecord } from "../../signup/record/row.ts";
import { siteZone } from "../../settings/schema/time_zone.ts";
import { couponEvents } from "../../subscribers/person/coupon_events.ts";
import { leftStatus } from "../../subscribers/person/left_status.ts";
import { consentsWithText, timelineOf } from "../../subscribers/person/timeline.ts";
import { timelineDays } from "../../subscribers/person/timeline_days.ts";
import { fieldTitle } from "./field_title.ts";
import { definePage } from "../frame/page.ts";
import { Card, Empty } from "../parts/card.tsx";
import { Badge } from "../parts/notice.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Refusal } from "../frame/refusal.ts";
import type { View } from "../frame/view.ts";
import { listName } from "../parts/lists.ts";
import { ErasureResult, ExportResult } from "./person_results.tsx";
import { sourceTitle } from "../parts/source_titles.ts";
import { LIST_STATUS_MEANINGS, STATUS_MEANINGS, statusTone } from "./status_titles.ts";
import { SubscriberActions } from "./subscriber_actions.tsx";
import { CouponFacts } from "./subscriber_coupon.tsx";
import { ConfirmationEmail } from "./subscriber_confirmation_email.tsx";
import { CheckResult, FollowsCheck, type ManualCheck, manualCheckOf } from "./subscriber_check.tsx";
import { ProofOfConsent } from "./subscriber_proof.tsx";
import { Timeline } from "./subscriber_timeline.tsx";
import { UnsubscribeHelp } from "./unsubscribe_help.tsx";

/** No key contains a longer address or list. */
const MAX_CHARACTERS = 254;

export const subscriberPage = definePage({
  path: "/subscriber",
  title: "Signup",
  heading: ({ query, unreadable }) => unreadable ? undefined : query.get("email") || undefined,
  capability: "personal",
  services: ["kv", "keyring", "signupProviders", "activation", "people"],
  async render(view) {
    const back = (
      <p class="back">
        <a href={view.href("/subscribers")}>All subscribers</a>
      </p>
    );
    if (view.done?.action === "cfbe_erase_person") {
      return (
        <>
          {back}
          <ErasureResult view={view} erased={view.done.data as Erased} />
        </>
      );
    }
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
    const { kv, keyring } = view.app;
    const [consents, marker, delivery, check, coupon, creation] = await Promise.all([
      consentsWithText(kv, record),
      readRow(kv, confirmationMarker(keyring, record.email)),
      readRow(kv, jobKey(deliverJobId(record))),
      manualCheckOf(kv, record, view.now),
      couponOf(kv, keyring, record.email),
      readRow(kv, jobKey(couponJob(record).id)),
    ]);
    const zone = siteZone(view.app.settings.current());
    return (
      <>
        {back}
        {view.done?.action === "cfbe_export_person" && (
          <ExportResult view={view} document={view.done.data as PersonExport} />
        )}
        <FollowsCheck id="facts" check={check} record={record} announces>
          <Facts
            view={view}
            record={record}
            marker={marker}
            check={check}
            coupon={<CouponFacts view={view} record={record} coupon={coupon} creation={creation} />}
            nextAttempt={nextAttemptOf(record, delivery)}
          />
        </FollowsCheck>
        <SubscriberActions view={view} record={record} marker={marker} />
        <FollowsCheck id="history" check={check} record={record}>
          <Timeline
            days={timelineDays(timelineOf(record, consents, couponEvents(coupon)), zone)}
            zone={zone}
            now={view.now}
          />
        </FollowsCheck>
        <ProofOfConsent view={view} record={record} consents={consents} />
      </>
    );
  },
});

/** @throws {Refusal} when there is no such signup */
async function recordOf(view: View<"kv">): Promise<SignupRecord> {
  const [email, list] = [view.query.get("email") ?? "", view.query.get("list") ?? ""];
  const may = [email, list].every((part) => part.length <= MAX_CHARACTERS && part.isWellFormed());
  const record = may ? await readRow(view.app.kv, signupKey(email, list)) : null;
  if (!record) throw new Refusal(404, "unknown_signup", "Signup not found. It may have been erased.");
  return record;
}

/** Returns when the next attempt is due, if the last one failed. */
function nextAttemptOf({ status, history }: SignupRecord, delivery: JobRow | null): number | undefined {
  const last = history?.at(-1);
  const failed = last?.kind === "delivery" && last.failed;
  return status === "queued" && failed && delivery?.state === "waiting" ? delivery.due : undefined;
}

interface Facts {
  view: View<"signupProviders" | "activation">;
  record: SignupRecord;
  marker: ConfirmationMarkerRow | null;
  check: ManualCheck | undefined;
  coupon: VNode;
  /** Unix milliseconds; undefined unless the last attempt to deliver the signup failed. */
  nextAttempt: number | undefined;
}

function Facts({ view, record, marker, check, coupon, nextAttempt }: Facts) {
  const { list, status, since, listStatus, name, reason, rejoinUrl, tags, source, form, page } = record;
  const { fields = {} } = record;
  const left = leftStatus(record);
  const mayGetEmails = status === "active" && !left;
  const showsPending = providerOf(view.app.signupProviders, record)?.capabilities.showsPending ?? true;
  return (
    <Card>
      <dl class="facts">
        <dt>Status</dt>
        <dd>
          {left
            ? (
              <>
                <Badge kind="warn">{left}</Badge> {LIST_STATUS_MEANINGS[left]}
                <p class="help">
                  They had confirmed: the signup is {status} since <Moment at={since} />.
                </p>
              </>
            )
            : (
              <>
                <Badge kind={statusTone(record)}>{status}</Badge> {STATUS_MEANINGS[status]}, since{" "}
                <Moment at={since} />
              </>
            )}
          {reason && <p class="help">{reason}</p>}
          {nextAttempt !== undefined && (
            <p class="help">
              The last attempt failed. Next attempt: <Moment at={nextAttempt} />
            </p>
          )}
          {rejoinUrl && (
            <p class="help">
              Ask them to sign up there: <a href={rejoinUrl} rel="noreferrer">the provider's form</a>
            </p>
          )}
        </dd>
        <ConfirmationEmail view={view} record={record} marker={marker} />
        <dt>List status</dt>
        <dd>
          {listStatus === undefined ? "not checked yet" : (
            <>
              <Badge>{listStatus}</Badge> {LIST_STATUS_MEANINGS[listStatus]}
            </>
          )}
          <p class="help">What the provider's list says about the address.</p>
          <CheckResult check={check} />
          {mayGetEmails && (
            <p class="help">
              <UnsubscribeHelp view={view} provider={view.app.signupProviders.nameOf(record)} />
            </p>
          )}
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
        {Object.entries(fields).map(([field, value]) => (
          <Fragment key={field}>
            <dt>{fieldTitle(view.app.settings.current(), field)}</dt>
            <dd>{fieldText(value)}</dd>
          </Fragment>
        ))}
        {coupon}
        <dt>First signed up via</dt>
        <dd>{sourceTitle(view.app.settings.current(), form ?? source)}</dd>
        {page && <PageFacts page={page} />}
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

/** The page with which they first signed up. */
function PageFacts({ page }: { page: SignupPage }): VNode {
  const facts = PAGE_VALUE_NAMES.map((name) => [PAGE_VALUE_LABELS[name], pageValue(page, name)]);
  return (
    <>
      {facts.map(([term, value]) =>
        value && (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </Fragment>
        )
      )}
    </>
  );
}
