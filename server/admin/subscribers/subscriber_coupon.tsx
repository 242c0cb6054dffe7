import type { ComponentChildren, VNode } from "preact";
import type { IssuedCoupon } from "../../shops/coupons/issued.ts";
import { couponList, lastDayOf } from "../../shops/coupons/row.ts";
import type { JobRow } from "../../platform/jobs/row.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { wasSubscribedBefore } from "../../subscribers/person/timeline.ts";
import { dayText } from "../frame/dates.ts";
import { Badge, type Tone } from "../parts/notice.tsx";
import type { View } from "../frame/view.ts";
import { listName } from "../parts/lists.ts";

interface CouponProps {
  view: View;
  record: SignupRecord;
  coupon: IssuedCoupon | undefined;
  /** The job that creates a coupon. */
  creation: JobRow | null;
}

/** The coupon of the person's mailbox, as facts of their page. Any spelling of the address has the same one. */
export function CouponFacts({ view, record, coupon, creation }: CouponProps): VNode | null {
  if (!coupon) {
    if (!view.app.settings.current().general.modules.coupons) return null;
    return (
      <>
        <dt>Coupon</dt>
        <dd>{whyNone(view, record, creation)}</dd>
      </>
    );
  }
  const { created, code, expiresAt, mail } = coupon;
  if (!created) {
    return (
      <>
        <dt>Coupon</dt>
        <dd>
          <Badge>waiting</Badge> not created in the shop yet
          <p class="help">
            The <a href={view.href("/coupon")}>Coupons page</a> shows why.
          </p>
        </dd>
      </>
    );
  }
  const [tone, state] = MAIL_STATES[mail];
  return (
    <>
      <dt>Coupon</dt>
      <dd>
        <code>{code}</code> <Badge kind={tone}>{state}</Badge>
        <p class="help">
          {expiresAt <= view.now ? "It was valid until" : "Valid until"} {dayText(lastDayOf(coupon))}{" "}
          has ended in every time zone. Whether it was used, only your shop knows.
        </p>
      </dd>
    </>
  );
}

/** Says why somebody has no coupon while coupons are on. */
function whyNone(view: View, record: SignupRecord, creation: JobRow | null): ComponentChildren {
  const { list, status } = record;
  const offered = couponList(view.app.settings.current());
  if (list !== offered) return `None. Only subscribers of another list get one: ${listName(view, offered)}.`;
  if (creation) {
    return creation.state === "dead"
      ? (
        <>
          None. Creating it failed: <a href={view.href("/jobs?state=dead")}>see the failed jobs</a>.
        </>
      )
      : (
        <>
          None yet. cfbe still has to create it. The <a href={view.href("/coupon")}>Coupons page</a>{" "}
          says if something is missing.
        </>
      );
  }
  if (status === "queued" || status === "pending") return "None yet. They get one once they confirm.";
  if (status === "expired") return "None. They did not confirm. They get one if they sign up again and do.";
  if (status === "failed") return "None. Only people who confirm get one, and their signup failed.";
  if (wasSubscribedBefore(record)) {
    return "None. They were subscribed before they signed up, so they are not new.";
  }
  return "None. Only people who confirm while coupons are on get one.";
}

const MAIL_STATES: Record<IssuedCoupon["mail"], [Tone, string]> = {
  none: ["plain", "created, not emailed"],
  sending: ["plain", "being emailed"],
  sent: ["good", "emailed"],
  refused: ["bad", "email rejected by the provider"],
  unknown: ["warn", "email with unknown result, not repeated"],
};
