import type { PublicExperiment, PublicVariant } from "../../../shared/public_settings.ts";
import { comparesDelays, countsAllForms } from "../experiments/opening.ts";
import { runningExperiment, variantName } from "../experiments/running.ts";
import { formOf, opensOf, POPUP } from "../../settings/forms/all_forms.ts";
import {
  type FormId,
  type FormSettings,
  settingsOfForm,
  variantIn,
} from "../../settings/forms/form_settings.ts";
import { formTexts } from "../../settings/schema/form_texts.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { publicCountdown } from "./public_countdown.ts";
import { publicOpening, publicRules } from "./public_opens.ts";
import { membersOf } from "./public_members.ts";
import type { FormConfig } from "./signed_config.ts";

/**
 * Returns the running experiment of a form, for the widget.
 *
 * @param now Unix milliseconds
 * @param config the form's configuration, to which each variant adds its name
 */
export async function publicExperiment(
  settings: Settings,
  id: FormId,
  { locale, now }: { locale: string; now: number },
  config: FormConfig,
  sign: (shown: FormSettings, config: FormConfig) => Promise<string>,
): Promise<{ experiment?: PublicExperiment }> {
  const experiment = runningExperiment(settings, id);
  if (!experiment) return {};
  const total = experiment.variants.reduce((sum, { weight }) => sum + weight, 0);
  const hasDelays = comparesDelays(settings, id, experiment);
  let drawn = 0;
  const variants = await Promise.all(experiment.variants.map(async (variant) => {
    const until = (drawn += variant.weight) / total;
    const { hidden, overrides } = variant;
    const idOfVariant = { ...id, variant: variant.id };
    const own = variantIn(settings, idOfVariant, locale);
    const shown = settingsOfForm(settings, idOfVariant, [locale]);
    const hasCountdown = "countdown" in own || "countdownAfter" in own;
    const cfg = await sign(shown, { ...config, variant: variantName(experiment, variant) });
    return {
      until,
      cfg,
      ...(hidden && { hidden }),
      ...formTexts(own),
      ...membersOf(shown, (name) => name in own),
      ...(hasCountdown && { countdown: publicCountdown(settings, idOfVariant, locale) ?? null }),
      ...(hasDelays && openingOf(settings, id, overrides.delaySeconds, now)),
    };
  }));
  const all = countsAllForms(settings, id, experiment);
  return { experiment: { id: experiment.id, ...(all && { all }), variants } };
}

/** Returns how a variant opens by itself. */
function openingOf(
  settings: Settings,
  { name }: FormId,
  delaySeconds: number | undefined,
  now: number,
): Pick<PublicVariant, "opens" | "rules"> {
  const { triggers, ...own } = opensOf(formOf(settings, name))!;
  const opens = { ...own, triggers: { ...triggers, ...(delaySeconds !== undefined && { delaySeconds }) } };
  return name === POPUP
    ? { rules: publicRules(settings, opens, now) }
    : { opens: publicOpening(settings, opens, now) };
}
