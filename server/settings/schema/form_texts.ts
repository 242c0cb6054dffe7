import type { Texts } from "../../../shared/texts/texts.ts";

/** Texts that a form has as settings of their own, beside its `texts`. */
export const FORM_TEXTS = ["heading", "text", "button"] as const;

export type FormText = (typeof FORM_TEXTS)[number];

/** Returns whether a text is one of them. */
export const isFormText = (name: string): name is FormText => FORM_TEXTS.some((each) => each === name);

type FormTexts = { [Name in FormText]?: string | undefined };

/** Returns those texts that are set. An empty one stays: it hides the text. */
export function formTexts(texts: FormTexts): Partial<Texts> {
  return Object.fromEntries(
    FORM_TEXTS.filter((name) => texts[name] !== undefined).map((name) => [name, texts[name]]),
  );
}
