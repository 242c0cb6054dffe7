import type { Texts } from "../../../shared/texts/texts.ts";

/** Texts that a form has as settings of their own, beside its `texts`. */
export const FORM_TEXTS = ["heading", "text", "button"] as const;

export type FormText = (typeof FORM_TEXTS)[number];

/** Returns whether a text is one of them. */
export const isFormText = (name: string): name is FormText => FORM_TEXTS.some((each) => each === name);

/** Returns whether an empty text is inherited. The others are not shown while they are empty. */
export const isInheritedEmpty = (name: string): boolean => name === "button";

/** Texts whose translations are to be checked once their originals change: those of ready forms, and that of the image. */
export const CHECKED_TEXTS = [...FORM_TEXTS, "next", "successHeading", "imageAlt"] as const;

export type CheckedText = (typeof CHECKED_TEXTS)[number];

/** Returns a text of a layer of the settings. It is a member, or one of the `texts`. */
export function textOf(layer: object, name: string): string | undefined {
  const { texts = {}, ...members } = layer as Record<string, string | undefined> & {
    texts?: Record<string, string>;
  };
  return members[name] ?? texts[name];
}

type FormTexts = { [Name in FormText]?: string | undefined };

/** Returns those texts that are set. An empty heading or text stays: it hides the one that is inherited. */
export function formTexts(texts: FormTexts): Partial<Texts> {
  return Object.fromEntries(
    FORM_TEXTS.filter((name) => texts[name] || (texts[name] === "" && !isInheritedEmpty(name)))
      .map((name) => [name, texts[name]]),
  );
}
