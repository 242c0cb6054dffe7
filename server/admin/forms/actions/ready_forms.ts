import { z } from "zod";
import { formFromReady, readyForm } from "../../../forms/ready/ready_forms.ts";
import { READY_FORM_IDS } from "../../../forms/ready/ready_texts.ts";
import { LOCALES } from "../../../../shared/texts/locales.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { formPath } from "../../parts/form_path.ts";
import { addDraft, leftOutTexts, textsLockedBy } from "./form_copies.ts";
import { oneCode } from "./form_code.ts";
import { freeTitle, idOfNew, newFormInput, withSameTitle } from "./new_form.ts";

const isBuiltIn = (locale: string) => LOCALES.includes(locale);

/** Adds one of the ready forms as a draft, with its texts in all languages or in some. */
const addReadyForm = defineAction({
  name: "cfbe_add_ready_form",
  title: "Add form from the gallery",
  group: "settings",
  capability: "forms",
  input: z.object({
    ready: z.enum(READY_FORM_IDS),
    ...newFormInput,
    /** The language of its original texts. Without `languages`, it has no other. */
    language: z.string().nullish().refine((locale) => !locale || isBuiltIn(locale), "Choose a language."),
    /** Whether it has texts in a language. Without any, and without `language`, it has those of all languages that it can have. */
    languages: z.record(z.string().max(35), z.boolean()).optional(),
    /** What a form that promises a code says to everybody who signs up. */
    code: oneCode.nullish(),
  }),
  async run(context, { ready, name: given, title: chosen, language, languages, code }) {
    const { settings, clock } = context.app;
    await settings.refresh();
    const before = settings.current();
    const title = chosen || freeTitle(before, readyForm(ready).title);
    const name = idOfNew(before, { name: given, title });
    const chosenLanguages = languages && Object.keys(languages).filter((locale) => languages[locale]);
    const said = ready === "coupon-popup" && code || undefined;
    const isInOne = language || textsLockedBy(context.app) !== undefined;
    const added = formFromReady(before, ready, {
      name,
      title,
      now: clock.now(),
      main: language || undefined,
      languages: chosenLanguages ?? (isInOne ? [] : undefined),
      code: said,
    });
    const changes = await addDraft(context, added);
    const message = `${title} was added as a draft.${leftOutTexts(context, added)}`;
    return { ...withSameTitle(message, before, title), to: formPath(name), changes };
  },
});

export const readyFormActions: Action[] = [addReadyForm];
