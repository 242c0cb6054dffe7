import type { ComponentChildren, VNode } from "preact";
import type { Texts } from "../../../shared/texts/texts.ts";
import { OWN_TEXT_NAMES } from "../../settings/schema/form_values.ts";
import { Card } from "../parts/card.tsx";
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
      <CouponHelp view={view} />
    </Card>
  );
}

/** Says where coupons are set, if new subscribers get one. */
export function CouponHelp({ view }: { view: View }): VNode | null {
  const { modules } = view.app.settings.current().general;
  if (!modules.coupons) return null;
  return (
    <p class="help">
      New subscribers get a coupon by email. Its discount and its email are on the page{" "}
      <a href={view.href("/coupon")}>Coupons</a>.
    </p>
  );
}
