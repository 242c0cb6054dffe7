import { z } from "zod";
import { formOrPopup, formTitle } from "../../../settings/forms/all_forms.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import { readyTextsOf } from "../../../forms/ready/texts_of_form.ts";
import { CHECKED_TEXTS, textOf } from "../../../settings/schema/form_texts.ts";
import { LocaleTag } from "../../../settings/schema/locale_tag.ts";
import { type Action, type ActionContext, defineAction } from "../../frame/action.ts";
import { Refusal } from "../../frame/refusal.ts";
import { languageName } from "../../../platform/words/language_name.ts";
import { type DraftEdit, draftedOrRefused } from "./form_drafts.ts";
import { formSaveInput, saveForm } from "./save_form.ts";

type Texts = Record<string, Record<string, unknown>>;

const TextsOfForm = z.record(z.string().max(35), z.record(z.string(), z.unknown()));

/** All texts of a form by language, as the page that restores them has them. */
const ownTexts = z.string().transform((text, context): Texts => {
  try {
    return TextsOfForm.parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: "custom", message: "must be the texts of a form" });
    return z.NEVER;
  }
});

/** Returns the texts that a draft has with the chosen languages: those that it has, or those of the ready form it is. */
function chosenTexts(
  own: Texts,
  ready: Texts,
  languages: Readonly<Record<string, boolean>>,
): Texts {
  const known = { ...ready, ...own };
  return Object.fromEntries(
    Object.keys(known).filter((locale) => languages[locale] ?? locale in own).map((
      locale,
    ) => [locale, known[locale]!]),
  );
}

/**
 * Chooses the languages in which a form, or without `form` the popup, has texts of its own, and what visitors of the others
 * see.
 */
const chooseLanguages = defineAction({
  name: "cfbe_choose_form_languages",
  title: "Languages of a form",
  group: "settings",
  capability: "forms",
  input: z.object({
    ...formSaveInput,
    form: z.string().max(64).optional(),
    /** Whether the form has texts in a language. One that is left out stays as it is. */
    languages: z.record(z.string().max(35), z.boolean()).default({}),
    /** The language of the form for all other visitors; none for its original texts with labels in theirs. */
    others: z.literal("").or(LocaleTag).nullish(),
    /** The texts in all languages, in place of those that it has: JSON, for undo. */
    texts: ownTexts.optional(),
  }),
  async run(context, { form, languages, others, texts, ...save }) {
    const id = { name: formOrPopup(form) };
    let chosen: string[] = [];
    const edit: DraftEdit = {
      content(draft) {
        const { form, texts: { drafted: own } } = draftedOrRefused(context.app, id, draft);
        const after = texts ?? chosenTexts(own, readyTextsOf(form), languages);
        chosen = Object.keys(after);
        const removed = Object.keys(own).map((locale) => [locale, {}]);
        const values = others === undefined ? draft.values : { ...draft.values, language: others || null };
        return { ...draft, values, texts: { ...draft.texts, ...Object.fromEntries(removed), ...after } };
      },
    };
    const message = () => languagesText(context, id, chosen, others);
    const done = await saveForm(context, id, edit, { tab: "form", ...save }, message);
    return save.draft ? { ...done, message: `${message()} Publish to show this on your pages.` } : done;
  },
});

function languagesText(
  { app }: ActionContext,
  id: DraftedId,
  chosen: readonly string[],
  others: string | null | undefined,
): string {
  const title = formTitle(app.settings.current(), id.name);
  if (chosen.length === 0) {
    const only = others ? `${title} in ${languageName(others)}` : `the original texts of ${title}`;
    return `Visitors of all languages see ${only}.`;
  }
  const shown = others ? `the whole form in ${languageName(others)}` : "the original texts";
  const names = new Intl.ListFormat("en").format(chosen.map(languageName));
  return `${title} has texts of its own in ${names}. Visitors of all other languages see ${shown}.`;
}

/**
 * Confirms that a translation still fits what its original says now, of a form, or without `form` of the popup.
 */
const confirmTranslation = defineAction({
  name: "cfbe_confirm_translation",
  title: "Keep a translation",
  group: "settings",
  capability: "forms",
  input: z.object({
    ...formSaveInput,
    form: z.string().max(64).optional(),
    locale: LocaleTag,
    text: z.enum(CHECKED_TEXTS),
    /** What the user has seen of the original. */
    original: z.string().max(1000).default(""),
  }),
  async run(context, { form, locale, text, original, ...save }) {
    const id = { name: formOrPopup(form) };
    const edit: DraftEdit = {
      content(draft) {
        const own = draftedOrRefused(context.app, id, draft).texts.drafted[locale] ?? {};
        if (!textOf(own, text)) throw noTranslation(locale);
        const confirmedFor = { ...own["confirmedFor"] as object | undefined, [text]: original };
        return { ...draft, texts: { ...draft.texts, [locale]: { ...own, confirmedFor } } };
      },
      locale,
    };
    const message = () => `The text stays as it is in ${languageName(locale)}.`;
    const done = await saveForm(context, id, edit, { tab: "form", ...save }, message);
    return save.draft ? { ...done, message: message() } : done;
  },
});

const noTranslation = (locale: string) =>
  new Refusal(
    404,
    "not_found",
    `The form has no such text in ${languageName(locale)}. It may have been removed.`,
  );

export const formLanguageActions: Action[] = [chooseLanguages, confirmTranslation];
