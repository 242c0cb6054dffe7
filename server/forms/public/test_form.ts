import type { FormDay } from "../../platform/observe/counters.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { type FormConfig, readFormConfig, signFormConfig } from "./signed_config.ts";

/**
 * The form of test signups: those of the demo page, and of the test page that the setup guide links to. Figures leave
 * them out. No form in the settings can have this name, because theirs begin with a letter or digit.
 */
export const TEST_FORM = "_test";

/**
 * Returns the signed configuration that makes the signups of a form test signups. They keep its list and tags.
 *
 * @param name of the form in the settings; an unknown one has the default list
 */
export function signTestConfig(keyring: Keyring, { forms }: Settings, name: string): string {
  const form = forms.forms.find((each) => each.name === name);
  return signFormConfig(keyring, { ...form && destinationOf(form), form: TEST_FORM, placement: "test" });
}

/** Returns whether a `cfbe_cfg` is the one of test signups. */
export function isTestConfig(keyring: Keyring, cfg: string): boolean {
  return readFormConfig(keyring, cfg)?.form === TEST_FORM;
}

/** Returns where the signups of a form go: its list and tags, without empty ones. */
export function destinationOf({ list, tags }: Settings["forms"]["forms"][number]): FormConfig {
  return { ...(list !== "" && { list }), ...(tags.length > 0 && { tags }) };
}

/** Returns the configuration of a form, without what it shows. */
export function configOfForm(form: Settings["forms"]["forms"][number]): FormConfig {
  return { form: form.name, placement: form.name, ...destinationOf(form) };
}

/** Returns whether a form's signups belong in figures: those of the test form don't. */
export const isCountedForm = (form: string): boolean => form !== TEST_FORM;

/** Returns the counts without those of test signups. */
export function withoutTests(counts: readonly FormDay[]): FormDay[] {
  return counts.filter(({ form }) => isCountedForm(form));
}
