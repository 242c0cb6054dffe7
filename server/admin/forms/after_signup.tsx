import type { ComponentChildren, VNode } from "preact";
import type { Texts } from "../../../shared/texts/texts.ts";
import { OWN_TEXT_NAMES } from "../../settings/schema/form_values.ts";
import { Card } from "../parts/card.tsx";
import { promisesCode } from "../../forms/ready/ready_forms.ts";
import type { FormId } from "../../settings/forms/form_settings.ts";
import { Notice } from "../parts/notice.tsx";
import type { View } from "../frame/view.ts";

type OwnTextName = (typeof OWN_TEXT_NAMES)[number];

/** The texts that visitors see in place of the form once they have signed up. */
export const AFTER_SIGNUP_TEXTS = [
  "successHeading",
  "success",
  "successHint",
  "openMail",
  "alreadySubscribed",
] as const satisfies readonly (keyof Texts & OwnTextName)[];

/** The texts that a form can have of its own and that are changed rarely. */
export const OTHER_OWN_TEXTS = OWN_TEXT_NAMES.filter((name) =>
  !AFTER_SIGNUP_TEXTS.some((text) => text === name)
);

/** What happens once a visitor has signed up. */
export function AfterSignup({ view, children }: { view: View; children: ComponentChildren }): VNode {
  return (
    <Card
      id="after-signup"
      title="After signup"
      lead="What visitors see in place of the form, and where they go next."
    >
      {children}
      <CouponHelp view={view} id={{}} />
    </Card>
  );
}

/** Says where coupons are set, if new subscribers get one, or that the form promises one that nobody gets. */
export function CouponHelp({ view, id }: { view: View; id: FormId }): VNode | null {
  if (!view.app.settings.current().general.modules.coupons) return <MissingCoupon view={view} id={id} />;
  return (
    <p class="help">
      New subscribers get a coupon by email. Its discount and its email are on the page{" "}
      <a href={view.href("/coupon")}>Coupons</a>.
    </p>
  );
}

/** Says that a form promises a code that nobody gets. */
export function MissingCoupon({ view, id }: { view: View; id: FormId }): VNode | null {
  const settings = view.app.settings.current();
  if (settings.general.modules.coupons || !promisesCode(settings, id)) return null;
  return (
    <Notice kind="warn">
      The form promises a discount code, but nobody gets one. Turn on{" "}
      <a href={view.href("/coupon")}>Coupons</a>, or change the text of the form.
    </Notice>
  );
}
