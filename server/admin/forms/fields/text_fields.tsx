import { type ComponentChildren, Fragment, type VNode } from "preact";
import { en } from "../../../../shared/texts/en.ts";
import type { Texts } from "../../../../shared/texts/texts.ts";
import { memberNamed } from "../../../settings/schema/form_members.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { TextField } from "../../parts/field.tsx";
import { useForm } from "../../parts/form.tsx";
import { OrInherited } from "../../parts/or_inherited.tsx";

const HELP: Partial<Record<keyof Texts, string>> = {
  optional: "After the label of optional fields",
  required: "After the label of a group in which something must be chosen",
  sending: "On the button while a signup is being sent",
  next: "On the button of the first of two steps",
  back: "On the button that leads back to the first step",
  stepTwo: "Above the fields of the second step, and announced by screen readers",
  success: "After a successful signup",
  successHeading: "Above the success message",
  successHint: "Below the success message: what to do if no email arrives",
  alreadySubscribed: "When already subscribed (if enabled on the Form defaults page)",
  error: "When the signup failed",
  rateLimited: "After too many attempts",
  invalid: "Above fields with errors",
  again: "Without JavaScript, if the page was open too long",
  noForm: "Without JavaScript, if the URL names an unknown form",
  formOff: "Without JavaScript, if the form is a draft, paused or outside of its schedule",
  didYouMean: "{address} is the suggested email address",
  openMail: "{provider} is the visitor's webmail service",
  newTab: "Tooltip and screen-reader description of links that open in a new tab",
  close: "Screen-reader label for the close button",
  opened: "Announced by screen readers when a slide-in or bar opens; {heading} is its heading",
  coupon: "In a promo bar; {discount} is the coupon's discount",
};

/** Labels that the key alone does not explain. */
const LABELS: Partial<Record<keyof Texts, string>> = {
  next: "Button of the first step",
  stepTwo: "Second step",
  success: "Success message",
  invalid: "Error summary",
  invalidEmail: "Error: email",
  invalidName: "Error: name",
  invalidInterests: "Error: interests",
  invalidConsent: "Error: consent",
  again: "Form expired",
  noForm: "Unknown form",
  formOff: "Form not shown",
  didYouMean: "Spelling suggestion",
  openMail: "Webmail link",
};

/** Returns the label of a text, such as `Email label` for `emailLabel`. */
export function textLabel(key: keyof Texts): string {
  return LABELS[key] ??
    key.replace(/([A-Z])/g, " $1").toLowerCase().replace(/^./, (first) => first.toUpperCase());
}

/** Returns the default texts for all languages: those in the settings, and the built-in English ones. */
export function defaultTexts({ form }: Settings): Texts {
  return { ...en.form, ...Object.fromEntries(Object.entries(form.texts).filter(([, text]) => text)) };
}

/** Returns where visitors see a text, if its label does not say it. */
export function textHelp(key: keyof Texts): string | undefined {
  return HELP[key] ?? memberNamed(key)?.help;
}

/** The texts that are changed rarely. Open if one of them is set, was just changed, or has an error. */
export function OtherTexts(
  { at, names, children }: { at: string; names: readonly (keyof Texts)[]; children: ComponentChildren },
): VNode {
  const form = useForm();
  const open = names.some((name) => {
    const path = `${at}.${name}`;
    return Boolean(form.value(path)) || form.edit?.path === path || form.error(path) !== undefined;
  });
  return (
    <details open={open}>
      <summary>Other texts</summary>
      {children}
    </details>
  );
}

/** Fields for texts that are optional. An empty one shows the text that applies instead. */
export function TextFields(
  { at, names, instead, dir = "ltr", below }: {
    /** Path of the texts in the form. */
    at: string;
    names: readonly (keyof Texts)[];
    instead: Partial<Texts>;
    dir?: "ltr" | "rtl";
    /** Returns what to show below a field. */
    below?(name: keyof Texts): VNode | null;
  },
): VNode {
  return (
    <>
      {names.map((name) => (
        <Fragment key={name}>
          <OrInherited label={textLabel(name)}>
            <TextField
              path={`${at}.${name}`}
              label={textLabel(name)}
              optional
              dir={dir}
              placeholder={instead[name] || " "}
              help={textHelp(name)}
            />
          </OrInherited>
          {below?.(name)}
        </Fragment>
      ))}
    </>
  );
}
