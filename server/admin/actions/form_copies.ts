import { z } from "zod";
import type { Settings } from "../../settings/schema.ts";
import { type Action, type ActionContext, defineAction } from "../action.ts";
import { Refusal } from "../refusal.ts";
import { lockedBy } from "../setting_lock.ts";
import { formName, formPath, invalidName, notFound, saveEdit } from "./forms.ts";

type Form = Settings["forms"]["forms"][number];
/** A form's texts by language. */
type FormTexts = Record<string, Record<string, unknown>>;

/** Returns a form's texts in every language that has some. */
function textsOfForm({ form: { locales } }: Settings, name: string): FormTexts {
  return Object.fromEntries(
    Object.entries(locales).flatMap(([locale, { forms = [] }]) => {
      const found = forms.find((each) => each.name === name);
      if (!found) return [];
      const { name: _, ...texts } = found;
      return [[locale, texts]];
    }),
  );
}

/**
 * Adds a form as a draft, with its texts.
 *
 * @throws {Refusal} if there is a form of this name, or if the settings would be invalid
 */
async function addDraft(context: ActionContext, form: Record<string, unknown>, texts: FormTexts) {
  const name = String(form["name"]);
  const hasTexts = Object.keys(texts).length > 0;
  const by = hasTexts && lockedBy(context.app, "form.locales");
  if (by) {
    const message =
      `Nothing was added. The form has texts in other languages, and these are set by ${by}: add them there.`;
    throw new Refusal(422, "fixed", message);
  }
  const added = await saveEdit(context, ({ forms: { forms } }) => {
    if (forms.some((each) => each.name === name)) throw invalidName();
    const draft = { ...form, status: "draft" };
    return {
      tab: "forms",
      fields: { forms: [...forms, draft] },
      place: { in: ["forms", forms.length], form: [] },
    };
  }, undefined);
  if (!hasTexts) return added;
  return [
    ...added,
    ...await saveEdit(context, ({ form: { locales } }) => {
      const changed = Object.entries(texts).map(([locale, own]) => {
        const { forms = [], ...others } = locales[locale] ?? { texts: {} };
        const kept = forms.filter((each) => each.name !== name);
        return [locale, { ...others, forms: [...kept, { name, ...own }] }];
      });
      return {
        tab: "form",
        fields: { locales: { ...locales, ...Object.fromEntries(changed) } },
        fixedBy: { locales: [] },
      };
    }, undefined),
  ];
}

/** Returns the first unused name for a copy, such as `footer-copy` or `footer-copy-2`. */
function nameOfCopy(forms: readonly Pick<Form, "name">[], name: string): string {
  const base = `${name.slice(0, 54)}-copy`;
  for (let count = 1;; count++) {
    const free = count === 1 ? base : `${base}-${count}`;
    if (forms.every((form) => form.name !== free)) return free;
  }
}

/** Copies a form with its texts. The copy is a draft, without the experiment and the schedule of the original. */
const duplicateForm = defineAction({
  name: "cfbe_duplicate_form",
  capability: "settings",
  input: z.object({ form: formName }),
  async run(context, { form: name }) {
    await context.app.settings.refresh();
    const settings = context.app.settings.current();
    const original = settings.forms.forms.find((form) => form.name === name);
    if (!original) throw notFound(name);
    const { experiment: _, schedule: __, ...copied } = original;
    const copy = { ...copied, name: nameOfCopy(settings.forms.forms, name) };
    const changes = await addDraft(context, copy, textsOfForm(settings, name));
    return { message: `${copy.name} was added as a draft.`, to: formPath(copy.name), changes };
  },
});

/** Pauses a form, makes it a draft, or lets it go live. */
const setFormStatus = defineAction({
  name: "cfbe_set_form_status",
  capability: "settings",
  input: z.object({ form: formName, status: z.enum(["live", "draft", "paused"]) }),
  async run(context, { form: name, status }) {
    const changes = await saveEdit(context, ({ forms: { forms } }) => {
      const index = forms.findIndex((form) => form.name === name);
      if (index < 0) throw notFound(name);
      const { status: _, ...form } = forms[index]!;
      const changed = status === "live" ? form : { ...form, status };
      return { tab: "forms", fields: { forms: forms.with(index, changed) } };
    }, undefined);
    const is = { live: "is live", draft: "is a draft", paused: "is paused" }[status];
    return { message: `${name} ${is}. Pages follow within a minute.`, changes };
  },
});

export const formCopyActions: Action[] = [duplicateForm, setFormStatus];
