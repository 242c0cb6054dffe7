import { formPath } from "../parts/form_path.ts";
import { counted } from "../../platform/words/counted.ts";
import { formTitle } from "../../settings/forms/all_forms.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { couponList } from "../../shops/coupons/row.ts";
import { amountText } from "../../shops/systems/item.ts";
import type { MissingSettings } from "../../shops/systems/port.ts";
import { asSentence } from "../../providers/port/trouble.ts";
import { missingText } from "../../operations/checks/modules.ts";
import type { StepState } from "../parts/step.tsx";
import { sourceTitle } from "../parts/source_titles.ts";

const STEPS = ["shop", "discount", "recipients", "texts", "mail", "test", "on"] as const;
export type CouponStepName = typeof STEPS[number];
/** Steps that coupons work without. */
export const OPTIONAL_STEPS: readonly CouponStepName[] = ["texts", "test"];

/** What the steps are derived from, in addition to the settings. No progress is stored. */
export interface CouponFacts {
  settings: Settings;
  /** What somebody has chosen. Defaults are not chosen. */
  chosen: { discount: boolean; list: boolean };
  /** What the shop system can do, and which of its settings are missing. */
  shop: { title: string; canCreate: boolean; missing: MissingSettings["coupons"] };
  /** The provider is configured, and can send transactional emails. */
  provider: { configured: boolean; transactional: boolean };
  /** The latest code that the shop was asked for with the current settings, and why it was not created. */
  check: { at: number; ok: boolean; reason?: string } | undefined;
  /** A code exists in the shop: a subscriber's, or the test code that was just created. */
  codeCreated: boolean;
  /** Why the test code was just not created. */
  testProblem: string | undefined;
}

export interface CouponStep {
  name: CouponStepName;
  state: StepState;
  /** What is set, what is missing, or what is wrong. */
  summary: string;
  /** When that was checked, in Unix milliseconds. */
  checkedAt?: number;
}

type Found = Pick<CouponStep, "summary" | "checkedAt"> & {
  state: "done" | "missing" | "optional" | "unchecked" | "wrong";
};

const done = (summary: string): Found => ({ state: "done", summary });
const missing = (summary: string): Found => ({ state: "missing", summary });
const optional = (summary: string): Found => ({ state: "optional", summary });
const wrong = (summary: string): Found => ({ state: "wrong", summary });

/** Returns the state of every step. Pure. */
export function couponSteps(facts: CouponFacts): CouponStep[] {
  const found: Record<CouponStepName, Found> = {
    shop: shopStep(facts),
    discount: discountStep(facts),
    recipients: recipientsStep(facts),
    texts: textsStep(facts.settings),
    mail: mailStep(facts),
    test: testStep(facts),
    on: facts.settings.general.modules.coupons
      ? done("Coupons are on.")
      : missing("Coupons are off: nobody receives a code."),
  };
  const current = STEPS.find((name) => ["missing", "wrong"].includes(found[name].state));
  return STEPS.map((name) => {
    const { state, ...shown } = found[name];
    return { name, ...shown, state: state !== "missing" ? state : name === current ? "current" : "later" };
  });
}

function shopStep({ settings, shop, check, codeCreated }: CouponFacts): Found {
  if (!shop.canCreate) return wrong(`${shop.title} cannot create codes. Select another shop system.`);
  if (shop.missing.length > 0) {
    return missing(`Enter ${missingText(shop.missing.map((field) => `checkout.${field}`))}.`);
  }
  const set = `${shop.title} at ${settings.checkout.shopUrl}.`;
  if (check && !check.ok) {
    return {
      ...wrong(`${set} ${failedCheckText(check)}`),
      checkedAt: check.at,
    };
  }
  if (check) return { ...done(set), checkedAt: check.at };
  if (codeCreated) return done(`${set} It has created codes.`);
  return { state: "unchecked", summary: `${set} Not checked yet: create a test code.` };
}

/** Returns why the shop did not create the latest code, as a sentence. */
export function failedCheckText({ reason }: { reason?: string }): string {
  return reason === undefined
    ? "The last code could not be created. Create a test code to see why."
    : `The last code could not be created: ${asSentence(reason)}`;
}

/** A default is done only once codes are created with it. */
function discountStep({ settings, chosen }: CouponFacts): Found {
  const text = discountText(settings.coupon);
  return chosen.discount || settings.general.modules.coupons
    ? done(text)
    : missing(`${text} This is the default: save it, or change it.`);
}

/** Returns the discount in plain words, such as "10% off, valid for 30 days.". */
function discountText({ kind, amount, validDays }: Settings["coupon"]): string {
  const off = kind === "percent" ? `${amount}% off` : `${amountText(amount)} off in the shop's currency`;
  return `${off}, valid for ${counted(validDays, "day")}.`;
}

/** A form that adds its subscribers to the list whose subscribers get a code. */
export interface OfferingForm {
  title: string;
  /** The page with its settings. */
  path: string;
  /** The form shows the discount by itself. */
  promo: boolean;
}

/**
 * Returns the forms that subscribe to the list whose subscribers get a code. The popup counts if it shows automatically
 * or has a list of its own.
 */
export function offeringForms(settings: Settings): OfferingForm[] {
  const { general, forms, popup, checkout } = settings;
  const list = couponList(settings);
  const subscribes = (own: string) => (own || general.defaultList) === list;
  const one = (title: string, path: string, included: boolean) =>
    included ? [{ title, path, promo: false }] : [];
  return [
    ...one(sourceTitle(settings, "shortcode"), "/form-defaults", subscribes("")),
    ...forms.forms.filter((form) => subscribes(form.list)).map(({ name, layout }) => ({
      title: formTitle(settings, name),
      path: formPath(name),
      promo: layout === "promo",
    })),
    ...one(
      sourceTitle(settings, "popup"),
      "/popup",
      (popup.enabled || popup.list !== "") && subscribes(popup.list),
    ),
    ...one(
      sourceTitle(settings, "checkout"),
      "/checkout",
      general.modules.checkout && subscribes(checkout.list),
    ),
  ];
}

const LIST = new Intl.ListFormat("en");
const MAX_NAMED = 4;

function recipientsStep({ settings, chosen }: CouponFacts): Found {
  const list = couponList(settings);
  const { knownLists } = settings.general;
  if (list === "") return missing("Choose a list, or set the default list in General.");
  const known = knownLists.find(({ id }) => id === list);
  if (!known && knownLists.length > 0) {
    return wrong("The list no longer exists at the provider. Choose another.");
  }
  const name = known?.name ?? list;
  const forms = offeringForms(settings).map(({ title }) => title);
  if (forms.length === 0) {
    return wrong(`No form subscribes people to ${name}. Choose another list, or add a form for it.`);
  }
  const others = forms.length - MAX_NAMED;
  const named = others > 0 ? [...forms.slice(0, MAX_NAMED), `${others} more`] : forms;
  const text = `New subscribers of ${name}, through ${LIST.format(named)}.`;
  return chosen.list || settings.general.modules.coupons
    ? done(text)
    : missing(`${text} This is the default: save it, or change it.`);
}

function textsStep(settings: Settings): Found {
  const promos = offeringForms(settings).filter(({ promo }) => promo).map(({ title }) => title);
  return promos.length > 0
    ? done(`The discount is shown by ${LIST.format(promos)}.`)
    : optional("Optional. No form shows the discount by itself: only promo bars do.");
}

function testStep({ codeCreated, testProblem }: CouponFacts): Found {
  if (testProblem !== undefined) return wrong(testProblem);
  return codeCreated
    ? done("The shop has created a code.")
    : optional("Optional. Shows whether the shop creates codes.");
}

function mailStep({ settings, provider }: CouponFacts): Found {
  if (!provider.configured) return missing("Connect your email provider in Getting started.");
  if (!provider.transactional) return wrong("Your provider cannot send transactional emails.");
  const { template } = settings.coupon;
  return template === "" ? missing("Enter the ID of an email template.") : done(`Template ${template}.`);
}
