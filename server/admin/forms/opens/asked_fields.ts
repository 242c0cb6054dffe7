import type { ConditionKind } from "../../../../shared/targeting.ts";
import { runningExperiment } from "../../../forms/experiments/running.ts";
import { formOf, opensOf, POPUP } from "../../../settings/forms/all_forms.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import type { VisitField } from "./described_visit.ts";
import { openingOrder, turnedOn } from "./opening_blockers.ts";

/** What the description of a visit asks for: only what a rule of the form depends on. */
export interface AskedFields {
  fields: ReadonlySet<VisitField>;
  /** Whether the form waits for a cookie banner. */
  cookieBar: boolean;
}

/** The field that each kind of condition compares with, besides the URL of the page. */
const FIELD_OF: Partial<Record<ConditionKind, VisitField>> = {
  utm: "landing",
  referrer: "referrer",
  width: "width",
  language: "language",
  visitor: "visitor",
  pages: "pages",
  time: "time",
  cartTotal: "total",
  cartItem: "item",
};

/** Returns what to ask for. @param now Unix milliseconds */
export function askedFields(settings: Settings, name: string, now: number): AskedFields {
  const form = settings.forms.forms.find((form) => form.name === name);
  const own = opensOf(formOf(turnedOn(settings, name), name));
  const order = own ? openingOrder(settings, now, name) : [];
  // The rules of the others decide which form opens first.
  const others = order.flatMap((other) => opensOf(formOf(settings, other)) ?? []);
  const opening = own ? [own, ...others] : [];
  const targetings = [form?.targeting ?? [], ...opening.map(({ targeting }) => targeting)].flat();
  const compared = targetings.flatMap(({ conditions }) => conditions).flatMap(({ kind }) =>
    FIELD_OF[kind] ?? []
  );
  const isRemembered = own !== undefined || form?.layout === "promo";
  const hasTrigger = (holds: (triggers: typeof opening[number]["triggers"]) => boolean) =>
    opening.some(({ triggers }) => holds(triggers));
  const experiment = runningExperiment(settings, { name });
  const asked: Partial<Record<VisitField, boolean>> = {
    device: own !== undefined || compared.includes("width"),
    memory: isRemembered,
    days: isRemembered,
    storage: isRemembered || compared.includes("visitor") || compared.includes("pages"),
    time: isRemembered || formOf(settings, name)?.schedule !== undefined,
    others: order.length > 1,
    hours: order.length > 1,
    control: experiment?.variants.some(({ hidden }) => hidden) ?? false,
    has: name !== POPUP,
    moment: own !== undefined,
    seconds: hasTrigger(({ delaySeconds, inactiveSeconds }) => delaySeconds + inactiveSeconds > 0),
    scrolled: hasTrigger(({ scrollPercent }) => scrollPercent > 0),
    seen: hasTrigger(({ seenSelector }) => seenSelector !== ""),
    clicked: own !== undefined && own.triggers.clickSelector !== "",
  };
  const fields = Object.keys(asked) as VisitField[];
  return {
    fields: new Set([...compared, ...fields.filter((field) => asked[field])]),
    cookieBar: own !== undefined && own.cookieBarSelector !== "",
  };
}
