import type { VNode } from "preact";
import type { IssuedCoupon } from "../../coupons/issued.ts";
import { Badge, type Tone } from "../parts/notice.tsx";
import { Moment } from "../parts/table.tsx";
import type { View } from "../view.ts";

/** The coupon of the person's mailbox, as facts of their page. Any spelling of the address has the same one. */
export function CouponFacts(
  { view, coupon }: { view: View; coupon: IssuedCoupon | undefined },
): VNode | null {
  if (!coupon) return null;
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
          {expiresAt <= view.now ? "Expired" : "Valid until"}{" "}
          <Moment at={expiresAt} short />. Whether it was used, only your shop knows.
        </p>
      </dd>
    </>
  );
}

const MAIL_STATES: Record<IssuedCoupon["mail"], [Tone, string]> = {
  none: ["plain", "created, not emailed"],
  sending: ["plain", "being emailed"],
  sent: ["good", "emailed"],
  refused: ["bad", "email rejected by the provider"],
  unknown: ["warn", "email with unknown result, not repeated"],
};
