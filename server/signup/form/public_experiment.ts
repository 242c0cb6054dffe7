import type { PublicExperiment } from "../../../shared/public_settings.ts";
import { runningExperiment, variantName } from "../../experiments/running.ts";
import { type FormId, type FormSettings, settingsOfForm } from "../../settings/form_settings.ts";
import { variantTexts } from "../../settings/form_texts.ts";
import type { Settings } from "../../settings/schema.ts";
import type { FormConfig } from "./signed_config.ts";

/**
 * Returns the running experiment of a form, for the widget.
 *
 * @param config the form's configuration, to which each variant adds its name
 */
export async function publicExperiment(
  settings: Settings,
  id: FormId,
  locale: string,
  config: FormConfig,
  sign: (shown: FormSettings, config: FormConfig) => Promise<string>,
): Promise<{ experiment?: PublicExperiment }> {
  const experiment = runningExperiment(settings, id);
  if (!experiment) return {};
  const total = experiment.variants.reduce((sum, { weight }) => sum + weight, 0);
  let drawn = 0;
  const variants = await Promise.all(experiment.variants.map(async (variant) => {
    const until = (drawn += variant.weight) / total;
    const { hidden, overrides } = variant;
    const { nameField, design } = overrides;
    const shown = settingsOfForm(settings, { ...id, variant: variant.id }, [locale]);
    const cfg = await sign(shown, { ...config, variant: variantName(experiment, variant) });
    return {
      until,
      cfg,
      ...(hidden && { hidden }),
      ...variantTexts(overrides, locale),
      ...(nameField !== undefined && { nameField }),
      ...(design && { design: shown.design }),
    };
  }));
  return { experiment: { id: experiment.id, variants } };
}
