import type { FormSource } from "../../../shared/contract.ts";
import { experimentOf, variantName } from "../experiments/running.ts";
import { type FormSettings, settingsOfForm } from "../../settings/forms/form_settings.ts";
import { POPUP } from "../../settings/forms/all_forms.ts";
import { isPublished } from "../../settings/forms/form_state.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { FormConfig } from "./signed_config.ts";
import { configOfForm, TEST_FORM } from "./test_form.ts";

/** The form of a submission. Its signup is checked by it, recorded with it, counted for it, and goes to its list. */
export interface SubmittedForm {
  /** Absent for the default form and the popup, which have no name outside. */
  name: string | undefined;
  settings: FormSettings;
  /** The list, tags and placement of the signup. */
  config: FormConfig | undefined;
  /** The configuration that was made for what the visitor saw. Only this one has the consent text that was shown. */
  shown: FormConfig | undefined;
  /** Whether it is not published, so that its signups are refused. `settings` are then those of the default form. */
  unpublished: boolean;
}

/**
 * Returns the form of a submission. The widget names it, because a page can sign a configuration of its own, which may
 * name no form. Every published form is public, so the name needs no signature; one that is not published is unknown. A
 * configuration that was made for another form is ignored: it would take the signup to a list whose form requires more.
 *
 * @param config the signed configuration, if it was verified
 * @param now Unix milliseconds
 */
export function submittedForm(
  current: Settings,
  { body, source, locales }: {
    body: Record<string, unknown>;
    source: FormSource;
    locales: readonly string[];
  },
  config: FormConfig | undefined,
  now: number,
): SubmittedForm {
  const { form } = body;
  const name = form === undefined ? config?.form : typeof form === "string" ? form : undefined;
  const named = current.forms.forms.find((each) => each.name === name);
  const own = named && isPublished(current, named, now) ? named : undefined;
  const isOurs = config?.form === undefined || config.form === name || config.form === TEST_FORM;
  const usable = isOurs ? config : undefined;
  // A named form can be shown in the popup.
  const id = { name: own?.name ?? (source === "popup" && !name ? POPUP : undefined) };
  const experiment = experimentOf(current, id);
  const variant = experiment?.variants.find((each) => variantName(experiment, each) === usable?.variant)?.id;
  // A page's own configuration that names no form replaces only the members that it has.
  const isForAnyForm = own !== undefined && usable?.form === undefined;
  const isShown = usable?.form === name || (!own && usable?.form === undefined);
  return {
    name: usable?.form ?? own?.name,
    settings: settingsOfForm(current, { ...id, variant }, locales),
    config: isForAnyForm ? { ...configOfForm(own), ...usable } : usable,
    shown: isShown ? usable : undefined,
    unpublished: named !== undefined && !own && config?.form === name,
  };
}
