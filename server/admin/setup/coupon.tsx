import type { VNode } from "preact";
import { countCoupons, newestCoupons } from "../../shops/coupons/issued.ts";
import { readShopCheck } from "../../shops/coupons/shop_check.ts";
import { couponList } from "../../shops/coupons/row.ts";
import { missingFields } from "../../settings/store/provider.ts";
import { TAB_TITLES } from "../../settings/store/tabs.ts";
import { at } from "../frame/ajax_body.ts";
import { definePage, ONLY_MARKETERS } from "../frame/page.ts";
import { Moment } from "../parts/site_time.tsx";
import { Step } from "../parts/step.tsx";
import type { View } from "../frame/view.ts";
import {
  type CouponFacts,
  type CouponStep,
  type CouponStepName,
  couponSteps,
  failedCheckText,
  OPTIONAL_STEPS,
} from "./coupon_checklist.ts";
import { type CouponLine, Issued } from "./coupon_issued.tsx";
import { CouponStepBody } from "./coupon_steps.tsx";
import { PageProblems } from "./module_notices.tsx";
import { shopTitle } from "./shop_fields.tsx";

const TITLES: Readonly<Record<CouponStepName, string>> = {
  shop: "Connect your shop",
  discount: "Set the discount",
  recipients: "Choose who gets a code",
  texts: "Tell your visitors",
  mail: "Email the code",
  test: "Create a test code",
  on: "Turn on coupons",
};

const SHOWN_CODES = 10;

export const couponPage = definePage({
  path: "/coupon",
  title: TAB_TITLES.coupon,
  lead: "Creates one discount code in your shop for each new confirmed subscriber and emails it once.",
  group: "Shop",
  icon: "coupon",
  shortcut: "c",
  capability: "view",
  limits(view) {
    if (!view.may("forms")) return ONLY_MARKETERS;
    return view.may("settings")
      ? undefined
      : "Only admins can connect the shop, create test codes, and turn coupons on or off.";
  },
  services: ["kv", "keyring", "provider", "admin", "shop"],
  async render(view) {
    const { kv } = view.app;
    const [counts, lines, check] = await Promise.all([
      countCoupons(kv, view.now),
      newestLines(view),
      readShopCheck(view.app),
    ]);
    const steps = stepsOf(view, { check, codeCreated: lines.some(({ coupon }) => coupon.created) });
    const problem = check?.ok === false ? failedCheckText(check) : undefined;
    const current = steps.find(({ state }) => state === "current" || state === "wrong")?.name;
    return (
      <>
        <PageProblems view={view} />
        <Progress steps={steps} />
        <ol class="steps">
          {steps.map(({ name, state, summary, checkedAt }, index) => (
            <Step
              key={name}
              id={`step-${name}`}
              number={index + 1}
              title={TITLES[name]}
              note={
                <>
                  {summary}
                  {checkedAt !== undefined && (
                    <>
                      {" "}Checked on <Moment at={checkedAt} short />.
                    </>
                  )}
                </>
              }
              state={state}
              open={name === current || name === affectedStep(view)}
            >
              <CouponStepBody name={name} view={view} current={name === current} problem={problem} />
            </Step>
          ))}
        </ol>
        <Issued view={view} counts={counts} lines={lines} />
      </>
    );
  },
});

function stepsOf(
  view: View<"provider" | "shop">,
  { check, codeCreated }: Pick<CouponFacts, "check" | "codeCreated">,
): CouponStep[] {
  const { settings: store, provider } = view.app;
  const settings = store.current();
  const shop = view.app.shop();
  return couponSteps({
    settings,
    chosen: {
      discount: ["kind", "amount", "validDays"].some((name) => store.isChosen(`coupon.${name}`)),
      list: store.isChosen("coupon.list") || store.isChosen("general.defaultList"),
    },
    shop: {
      title: shopTitle(shop.name),
      canCreate: shop.capabilities.coupons,
      missing: shop.missingSettings().coupons,
    },
    provider: {
      configured: missingFields(settings, store.providers).length === 0,
      transactional: provider.capabilities.transactional,
    },
    check,
    codeCreated: codeCreated || check?.ok === true || view.done?.action === "cfbe_test_coupon",
    testProblem: view.posted?.action === "cfbe_test_coupon" ? view.posted.failure?.message : undefined,
  });
}

function Progress({ steps }: { steps: readonly CouponStep[] }): VNode {
  const required = steps.filter(({ name }) => !OPTIONAL_STEPS.includes(name));
  const done = required.filter(({ state }) => state === "done" || state === "unchecked").length;
  const unchecked = required.some(({ state }) => state === "unchecked");
  return (
    <div class="progress">
      <progress value={done} max={required.length} aria-label="Completed steps" />
      <p>
        {done === required.length
          ? unchecked
            ? "Everything is set. Create a test code to check that your shop creates codes."
            : "All done. Every new confirmed subscriber gets a code."
          : `${done} of ${required.length} required steps completed.`}
      </p>
    </div>
  );
}

/** Steps whose form saves this setting of the Coupons tab. */
const STEP_OF_FIELD: Readonly<Record<string, CouponStepName>> = {
  list: "recipients",
  template: "mail",
};

/** Returns the step whose form was submitted, so that its result or its errors are visible. */
function affectedStep({ posted, done }: View): CouponStepName | undefined {
  switch (posted?.action ?? done?.action) {
    case "cfbe_save_checkout":
      return "shop";
    case "cfbe_save_general":
      return "on";
    case "cfbe_test_coupon":
      return "test";
    case "cfbe_save_coupon": {
      const [field = ""] = Object.keys(at(posted?.input, "fields") ?? {});
      return STEP_OF_FIELD[field] ?? "discount";
    }
  }
  return undefined;
}

/** Returns the newest codes. Only users who may see personal data get the addresses, which is recorded. */
async function newestLines(view: View<"kv" | "keyring" | "admin">): Promise<CouponLine[]> {
  const { app, actor, from } = view;
  const holders = await newestCoupons(app, couponList(app.settings.current()), SHOWN_CODES);
  if (!view.may("personal")) return holders.map(({ since, coupon }) => ({ since, coupon }));
  if (holders.length > 0) {
    const by = holders.length;
    const entry = { who: actor.name, action: "cfbe_read_subscribers", result: "done", by, from } as const;
    await app.admin.audit.count(entry);
  }
  return await Promise.all(holders.map(async ({ since, coupon, email, list }) => {
    const query = await view.encryptQuery([["email", email], ["list", list]]);
    return { since, coupon, person: { email, href: view.href(`/subscriber${query}`) } };
  }));
}
