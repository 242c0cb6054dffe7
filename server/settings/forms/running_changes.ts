import { isDeepStrictEqual } from "node:util";
import { formNames, formOf } from "./all_forms.ts";
import { translatedFormIn } from "./form_settings.ts";
import type { Experiment } from "../schema/experiment_schema.ts";
import { membersWith } from "../schema/form_members.ts";
import type { Settings } from "../schema/schema.ts";

/** What visitors do not see: a change of it treats all variants alike, and their counts stay comparable. */
const NOT_SEEN: readonly string[] = membersWith(({ seen }) => seen === false);

/** A change that would mix the counts of a running experiment. */
export interface MixingChange {
  form: string;
  /** The members of the form that it changes, such as `heading`, or `locales.de` for its texts in German. */
  members: string[];
}

/**
 * Returns the changes of what visitors see of a form while its experiment is running. Visitors before and after them would
 * count for the same variant, although they have seen different forms. What a form inherits is not looked at.
 */
export function mixingChanges(before: Settings, after: Settings): MixingChange[] {
  return runningIn(before).flatMap(({ form, experiment }) => {
    const still = runningIn(after).find((each) => each.form === form && each.experiment.id === experiment.id);
    if (!still) return [];
    const [was, is] = [seenOf(before, form), seenOf(after, form)];
    const differing = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) =>
      !isDeepStrictEqual(was[name], is[name])
    );
    const isSame = isDeepStrictEqual(comparedBy(experiment), comparedBy(still.experiment));
    const members = [...differing, ...(isSame ? [] : ["experiment"])];
    return members.length > 0 ? [{ form, members }] : [];
  });
}

function runningIn(settings: Settings): { form: string; experiment: Experiment }[] {
  return formNames(settings).flatMap((form) => {
    const experiment = formOf(settings, form)?.experiment;
    return experiment?.state === "running" ? [{ form, experiment }] : [];
  });
}

/** Returns what an experiment compares, and with which weights: everything but the names of its variants. */
const comparedBy = ({ variants }: Experiment): unknown =>
  JSON.parse(JSON.stringify(variants.map(({ name: _, ...variant }) => variant)));

/** Returns what visitors see of a form: its own values, and its texts by language. */
function seenOf(settings: Settings, name: string): Record<string, unknown> {
  const own = formOf(settings, name) ?? {};
  const seen = (values: object) =>
    Object.fromEntries(Object.entries(values).filter(([member]) => !NOT_SEEN.includes(member)));
  const texts = Object.entries(settings.form.locales).flatMap(([locale, translation]) => {
    const translated = translatedFormIn(translation, name);
    return translated ? [[`locales.${locale}`, seen(translated)]] : [];
  });
  // Without members that are undefined, which are not stored.
  return JSON.parse(JSON.stringify({ ...seen(own), ...Object.fromEntries(texts) }));
}
