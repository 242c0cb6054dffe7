import { runningExperiment } from "../../../experiments/running.ts";
import type { Settings } from "../../../settings/schema.ts";
import { openingOrder } from "./opening_blockers.ts";

/** What the description of a visit asks for, because a rule of the form depends on it. */
export interface AskedFields {
  /** Whether the form opens by itself. */
  opens: boolean;
  /** Whether a page can have the form. */
  placed: boolean;
  /** Whether other forms open by themselves. */
  others: boolean;
  /** Whether a running experiment has a variant without a form. */
  control: boolean;
  /** Whether it opens when an element is seen. */
  seen: boolean;
  /** Whether it opens on a click. */
  clicked: boolean;
  /** Whether it waits for a cookie banner. */
  cookieBar: boolean;
}

/** Returns what to ask for. @param name the form; undefined for the popup @param now Unix milliseconds */
export function askedFields(settings: Settings, name: string | undefined, now: number): AskedFields {
  const rules = name === undefined
    ? settings.popup
    : settings.forms.forms.find((form) => form.name === name)?.opens;
  const experiment = runningExperiment(settings, { name, popup: name === undefined });
  return {
    opens: rules !== undefined,
    placed: name !== undefined,
    others: rules !== undefined && openingOrder(settings, now, name ?? "").length > 1,
    control: experiment?.variants.some(({ hidden }) => hidden) ?? false,
    seen: rules !== undefined && rules.triggers.seenSelector !== "",
    clicked: rules !== undefined && rules.triggers.clickSelector !== "",
    cookieBar: rules !== undefined && rules.cookieBarSelector !== "",
  };
}
