import type { ComponentChildren, VNode } from "preact";
import type { Texts } from "../../../shared/texts/texts.ts";
import { OWN_TEXT_NAMES } from "../../settings/schema/form_values.ts";
import { Card } from "../parts/card.tsx";
import { lacksCode, MAX_CODE } from "../../forms/ready/one_code.ts";
import { formQuery } from "../../settings/forms/all_forms.ts";
import type { DraftedId, FormDraft } from "../../settings/forms/form_drafts.ts";
import { providerInUse } from "../../settings/store/provider.ts";
import type { FormId } from "../../settings/forms/form_settings.ts";
import { TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import { SeenDraft } from "./draft_state.tsx";
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

const providerIn = ({ app: { settings } }: View) => providerInUse(settings.current(), settings.providers);

/** Returns whether new subscribers get a coupon by email. */
export const mailsCoupons = (view: View): boolean =>
  view.app.settings.current().general.modules.coupons && providerIn(view).capabilities.transactional;

/** Says where coupons are set, if new subscribers get one, or how they can. */
export function CouponHelp({ view }: { view: View }): VNode {
  if (mailsCoupons(view)) {
    return (
      <p class="help">
        New subscribers get a coupon by email. Its discount and its email are on the page{" "}
        <a href={view.href("/coupon")}>Coupons</a>.
      </p>
    );
  }
  return (
    <p class="help">
      For a discount code that is the same for everybody, write it into these texts.{" "}
      <CodeForEach view={view} />
    </p>
  );
}

/** Says how each subscriber can get a code of their own, or that the provider in use can't send it. */
export function CodeForEach({ view }: { view: View }): VNode {
  const { title, capabilities } = providerIn(view);
  if (capabilities.transactional) {
    return (
      <>
        For a code for each subscriber by email, <ConnectShop view={view} />.
      </>
    );
  }
  return <>{title} cannot send each subscriber a code of their own.</>;
}

/** Leads to where coupons are turned on. */
const ConnectShop = ({ view }: { view: View }): VNode => <a href={view.href("/coupon")}>connect your shop</a>;

/** Says that a form promises a code that nobody gets. */
export function MissingCode({ view, id }: { view: View; id: FormId }): VNode | null {
  if (!lacksCode(view.app.settings.current(), id, providerIn(view).capabilities)) return null;
  return (
    <Notice kind="warn">
      The form promises a discount code, but nobody gets one.{" "}
      <a href={`#${CODE_INPUT}`}>Enter one code for everybody</a>. <CodeForEach view={view} />
    </Notice>
  );
}

const ACTION = "cfbe_fill_in_code";
const CODE_FORM = "fill-in-code";
/** ID of the input for the code. */
const CODE_INPUT = `${CODE_FORM}-code`;

/** Asks for one code for everybody, as long as a form promises one that nobody gets. */
export function FillInCode(
  { view, id, draft }: { view: View; id: DraftedId; draft: FormDraft | undefined },
): VNode | null {
  if (!lacksCode(view.app.settings.current(), id, providerIn(view).capabilities)) return null;
  return (
    <Notice kind="warn">
      <p>The form promises a discount code, but nobody gets one.</p>
      <PostForm view={view} action={ACTION} match={formQuery(id.name)} id={CODE_FORM}>
        <TextField
          path="code"
          label="One code for everybody"
          placeholder="AUTUMN10"
          required
          maxLength={MAX_CODE}
          autocomplete="off"
          spellcheck={false}
          help={
            <>
              The form shows it after a signup. <CodeForEach view={view} />
            </>
          }
        />
        <SeenDraft view={view} draft={draft} />
        <input type="hidden" name="b:draft" value="true" />
        <div class="buttons">
          <button type="submit" data-changes="after-signup">Use this code</button>
        </div>
      </PostForm>
    </Notice>
  );
}
