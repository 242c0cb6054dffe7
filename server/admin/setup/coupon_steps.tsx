import { listOptions } from "../parts/lists.ts";
import type { ComponentChildren, VNode } from "preact";
import { defaultsIn } from "../../settings/forms/form_settings.ts";
import type { Tab } from "../../settings/schema/schema.ts";
import { withoutSecrets } from "../../settings/store/tab_secrets.ts";
import { couponOffer } from "../../forms/public/public_settings.ts";
import { PostForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import { Setting } from "../parts/setting.tsx";
import { lockedBy } from "../frame/setting_lock.ts";
import type { View } from "../frame/view.ts";
import { type CouponStepName, offeringForms } from "./coupon_checklist.ts";
import { ShopFields } from "./shop_fields.tsx";

interface StepProps {
  view: View<"provider" | "shop">;
  /** The step is the next one to do. Its button is the page's primary one. */
  current: boolean;
  /** Why the shop did not create the latest code; undefined unless the latest attempt failed. */
  problem?: string | undefined;
}

const STEP_BODIES: Readonly<Record<CouponStepName, (props: StepProps) => VNode>> = {
  shop: ShopStep,
  discount: DiscountStep,
  recipients: RecipientsStep,
  texts: TextsStep,
  mail: MailStep,
  test: TestStep,
  on: OnStep,
};

export function CouponStepBody({ name, ...props }: StepProps & { name: CouponStepName }): VNode {
  const Body = STEP_BODIES[name];
  return <Body {...props} />;
}

/** A form with some fields of a settings tab. The other settings of the tab stay as they are. */
function Fields(
  { view, current, tab, id, children }: StepProps & { tab: Tab; id: string; children: ComponentChildren },
): VNode {
  const { settings } = view.app;
  const fields = withoutSecrets(tab, settings.current()[tab], settings.providers);
  return (
    <PostForm view={view} action={`cfbe_save_${tab}`} tab={tab} id={id} current={{ fields }}>
      {children}
      <div class="buttons">
        <button type="submit" class={current ? "primary" : undefined}>Save changes</button>
      </div>
    </PostForm>
  );
}

function ShopStep({ view, current }: StepProps): VNode {
  return (
    <>
      <p>
        The shop that creates the codes. These are the settings of the{" "}
        <a href={view.href("/checkout")}>Checkout</a> page.
      </p>
      <Fields view={view} current={current} tab="checkout" id="coupon-shop">
        <ShopFields view={view} />
      </Fields>
    </>
  );
}

function DiscountStep({ view, current }: StepProps): VNode {
  return (
    <Fields view={view} current={current} tab="coupon" id="coupon-discount">
      <Setting of="coupon.kind" />
      <Setting of="coupon.amount" />
      <Setting of="coupon.currency" />
      <Setting of="coupon.validDays" />
      <Setting of="coupon.prefix" />
    </Fields>
  );
}

function RecipientsStep({ view, current }: StepProps): VNode {
  const forms = offeringForms(view.app.settings.current());
  return (
    <>
      <p>
        Everyone who becomes active on this list gets one code per mailbox, after the confirmation if the list
        has double opt-in. Existing subscribers get none.
      </p>
      <Fields view={view} current={current} tab="coupon" id="coupon-recipients">
        <Setting of="coupon.list" options={listOptions(view, "Default list")} />
      </Fields>
      {forms.length > 0 && (
        <div>
          <h3>Forms that subscribe to this list</h3>
          <ul>
            {forms.map(({ title, path }) => (
              <li key={path}>
                <a href={view.href(path)}>{title}</a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function TextsStep({ view }: StepProps): VNode {
  const settings = view.app.settings.current();
  const { texts } = defaultsIn(settings, "en");
  return (
    <>
      <p>
        Forms with the layout <em>Promo</em>{" "}
        show the discount while coupons are on. For other forms, write it into the form's own texts on the
        {" "}
        <a href={view.href("/forms")}>Forms</a> page, for example into the success message.
      </p>
      <dl class="facts">
        <dt>Promo bar</dt>
        <dd>{couponOffer(settings.coupon, "en", texts)}</dd>
        <dt>Success message</dt>
        <dd>{texts.success}</dd>
      </dl>
      <p>
        These are the default texts in English. Edit them for all forms and languages in{" "}
        <a href={view.href("/form-defaults")}>Form defaults</a>.
      </p>
    </>
  );
}

function MailStep({ view, current }: StepProps): VNode {
  if (!view.app.provider.capabilities.transactional) {
    return (
      <p>
        Coupons need a provider that can send an email from a template to one person. See{" "}
        <a href={view.href("/provider")}>Provider</a>.
      </p>
    );
  }
  return (
    <>
      <p>
        Create a transactional email at your provider and enter its ID. It can use <code>code</code>,{" "}
        <code>kind</code>, <code>amount</code>, <code>expiresOn</code> and <code>expiresAt</code>.
      </p>
      <Fields view={view} current={current} tab="coupon" id="coupon-mail">
        <Setting of="coupon.template" />
      </Fields>
    </>
  );
}

function TestStep({ view, current }: StepProps): VNode {
  const created = view.done?.action === "cfbe_test_coupon" ? view.done.data as { code: string } : undefined;
  const shop = view.app.shop();
  const ready = shop.capabilities.coupons && shop.missingSettings().coupons.length === 0;
  return (
    <>
      {created && (
        <Notice kind="good">
          The shop created <code>{created.code}</code>. Try it at your shop's checkout, then delete it there.
        </Notice>
      )}
      <p>
        Creates a code in your shop with the discount above. It is emailed to nobody, valid for one order, and
        expires after a day.
      </p>
      {ready
        ? (
          <PostForm view={view} action="cfbe_test_coupon" id="coupon-test">
            <div class="buttons">
              <button type="submit" class={current ? "primary" : undefined}>Create test code</button>
            </div>
          </PostForm>
        )
        : <p class="help">Connect your shop first.</p>}
    </>
  );
}

function OnStep({ view, current, problem }: StepProps): VNode {
  const { general } = view.app.settings.current();
  const { coupons: on, ...others } = general.modules;
  const locked = lockedBy(view.app, "general.modules.coupons");
  if (locked) return <p>Set by {locked}. Change it there.</p>;
  // The modules are saved together. Those that are set elsewhere must not be sent.
  const modules = Object.entries({ ...others, coupons: !on })
    .filter(([name]) => lockedBy(view.app, `general.modules.${name}`) === undefined);
  return (
    <>
      <p>
        {on
          ? "Codes that are not created or emailed yet wait while coupons are off."
          : "People who confirm from then on get a code. Promo bars show the discount."}
      </p>
      {!on && problem && (
        <Notice kind="warn">
          {problem} If you turn on coupons now, new subscribers get no code until the shop creates one.
        </Notice>
      )}
      <PostForm view={view} action="cfbe_save_general" tab="general" id="coupon-on">
        {modules.map(([name, value]) => (
          <input key={name} type="hidden" name={`b:fields.modules.${name}`} value={String(value)} />
        ))}
        <div class="buttons">
          <button type="submit" class={current ? "primary" : undefined}>
            {on ? "Turn off coupons" : "Turn on coupons"}
          </button>
        </div>
      </PostForm>
    </>
  );
}
