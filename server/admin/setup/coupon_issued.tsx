import type { VNode } from "preact";
import type { CouponCounts, IssuedCoupon } from "../../shops/coupons/issued.ts";
import { lastDayOf } from "../../shops/coupons/row.ts";
import { Card, Empty, Stat, Stats } from "../parts/card.tsx";
import { dayText } from "../frame/dates.ts";
import { Badge, type Tone } from "../parts/notice.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";

/** A code in the list of the newest ones. */
export interface CouponLine {
  since: number;
  coupon: IssuedCoupon;
  /** Absent for users who may not see personal data. */
  person?: { email: string; href: string };
}

const MAIL: Record<IssuedCoupon["mail"], [Tone, string]> = {
  sent: ["good", "sent"],
  sending: ["plain", "sending"],
  none: ["plain", "not sent yet"],
  refused: ["bad", "rejected by the provider"],
  unknown: ["warn", "unknown, not repeated"],
};

/** How many codes there are, and the newest ones. */
export function Issued(
  { view, counts, lines }: { view: View; counts: CouponCounts; lines: readonly CouponLine[] },
): VNode {
  const { more, ...shown } = counts;
  const figure = (name: keyof typeof shown) =>
    `${more ? "At least " : ""}${shown[name].toLocaleString("en")}`;
  return (
    <Card title="Codes" lead="Your shop knows which codes were used: cfbe does not.">
      {counts.created + counts.uncreated === 0
        ? (
          <Empty title="No codes yet">
            Each new confirmed subscriber's code appears here. Test codes are not listed.
          </Empty>
        )
        : (
          <Stats>
            <Stat label="Created" value={figure("created")} note="in your shop" />
            {counts.uncreated > 0 && (
              <Stat label="Not created yet" value={figure("uncreated")} note="waiting for your shop" />
            )}
            <Stat label="Waiting" value={figure("waiting")} note="not emailed yet" />
            <Stat label="Valid" value={figure("valid")} note="until used" />
            <Stat label="Expired" value={figure("expired")} />
          </Stats>
        )}
      {lines.length > 0 && <Newest view={view} lines={lines} />}
    </Card>
  );
}

function Newest({ view, lines }: { view: View; lines: readonly CouponLine[] }): VNode {
  const personal = view.may("personal");
  return (
    <>
      <h3>Newest active subscribers who get a code</h3>
      <Table
        caption="Newest codes"
        rows={lines}
        keyOf={({ coupon }) => coupon.code}
        columns={[
          ...(personal
            ? [{
              title: "Email address",
              cell: ({ person }: CouponLine) =>
                person && <a class="about" href={person.href}>{person.email}</a>,
            }]
            : []),
          {
            title: "Code",
            cell: ({ coupon }) =>
              coupon.created
                ? <code>{personal ? coupon.code : maskedCode(coupon.code)}</code>
                : <Badge kind="warn">not created in the shop yet</Badge>,
          },
          {
            title: "Email",
            cell: ({ coupon: { mail } }) => <Badge kind={MAIL[mail][0]}>{MAIL[mail][1]}</Badge>,
          },
          {
            title: "Valid until",
            cell: ({ coupon }) => coupon.created ? dayText(lastDayOf(coupon)) : "–",
          },
          { title: "Subscribed", cell: ({ since }) => <Moment at={since} short /> },
        ]}
      />
      <p class="help">A code is valid until its last day has ended in every time zone.</p>
    </>
  );
}

/** Returns a code without its end, because anyone who has a code can use it. */
function maskedCode(code: string): string {
  return code.replace(/(-[^-]+){2}$/, "-…");
}
