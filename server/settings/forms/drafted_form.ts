import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { changesBetween } from "../../platform/audit/changes.ts";
import { sha256 } from "../../platform/keys/sha256.ts";
import type { ProviderTable } from "../../providers/module.ts";
import { formOf, POPUP, type SiteForm } from "./all_forms.ts";
import { type DraftContent, type DraftedId, imageOfForm, isUndescribed } from "./form_drafts.ts";
import { memberNamed, membersWith } from "../schema/form_members.ts";
import { formTabs, namedForm, translatedForm } from "../schema/form_schema.ts";
import { type Layer, replaceMembers } from "../store/precedence.ts";
import type { Settings } from "../schema/schema.ts";
import { checkEdits, editOfForm, editOfOwnTexts, ownTextsIn, type TabEdit } from "./form_edits.ts";

/** Returns whether a form is a draft itself: no page shows it before it is published. The popup never is. */
export const isUnpublished = (form: SiteForm): boolean => "status" in form && form.status === "draft";

/** A form as it is published, and with its unpublished changes. */
export interface DraftedForm {
  published: SiteForm;
  /** With the changes. As entered where it has become invalid. */
  form: Layer;
  /** The texts that it has of its own, by language: published, and with the changes. */
  texts: Record<"published" | "drafted", Record<string, Layer>>;
  /** Whether it can't be published before its image is described. */
  undescribed: boolean;
  /** What publishing would save, in one commit. */
  edits: TabEdit[];
}

/**
 * Returns a form with unpublished changes; undefined if there is no form of that name.
 *
 * @param edited the language whose texts the user edits, for the paths of errors
 */
export function draftedForm(
  settings: Settings,
  id: DraftedId,
  draft: DraftContent,
  edited?: string,
): DraftedForm | undefined {
  const published = formOf(settings, id.name);
  if (!published) return undefined;
  const own = ownEdit(settings, id, draft);
  const translated = Object.keys(draft.texts ?? {}).length > 0
    ? editOfOwnTexts(settings.form, id, draft.texts!, edited)
    : undefined;
  return {
    published,
    form: own ? formWith(settings, id, own) : published,
    texts: {
      published: textsByLocale(settings.form, id),
      drafted: textsByLocale(translated ? withRaw(settings.form, translated) : settings.form, id),
    },
    undescribed: isUndescribed(draft.image),
    edits: [own, translated].filter((edit) => edit !== undefined),
  };
}

/**
 * Returns the settings as if a draft was published, for what shows it before. If it has become invalid, those that are
 * published.
 */
export const draftedSettings = (...args: Parameters<typeof validDraftedSettings>): Settings =>
  validDraftedSettings(...args) ?? args[0];

/** Returns the settings as if a draft was published; undefined if it has become invalid, or if there is no such form. */
export function validDraftedSettings(
  settings: Settings,
  id: DraftedId,
  draft: DraftContent,
  providers: ProviderTable,
): Settings | undefined {
  const drafted = draftedForm(settings, id, draft);
  return drafted && checkEdits(settings, drafted.edits, providers).data;
}

/** Returns the change of what a form has besides its texts by language. */
function ownEdit(settings: Settings, id: DraftedId, draft: DraftContent): TabEdit | undefined {
  const values = withEnd(settings, id, draft.values);
  const { image } = draft;
  if (Object.keys(values).length === 0 && image === undefined) return undefined;
  const own = typeof image === "object" && image ? imageOfForm(image) : image;
  const fields = image === undefined ? values : {
    ...values,
    design: { ...(values["design"] ?? formOf(settings, id.name)?.design) as Layer | undefined, image: own },
  };
  return editOfForm(settings, id.name, fields);
}

/**
 * Returns values with the end of the form: one that ends with its countdown ends with another one, too. Values that say when
 * pages show the form are as they are.
 */
export function withEnd(settings: Settings, id: DraftedId, values: Layer): Layer {
  const { schedule, countdown } = { ...formOf(settings, id.name) } as Partial<z.output<typeof namedForm>>;
  const { countdown: until } = values;
  const isFollowing = countdown !== undefined && schedule?.until === countdown && !("schedule" in values);
  if (!isFollowing || typeof until !== "string" || (schedule.from ?? "") >= until) return values;
  return { ...values, schedule: { ...schedule, until } };
}

function formWith(settings: Settings, id: DraftedId, { fields }: TabEdit): Layer {
  if (id.name === POPUP) {
    const entered = replaceMembers(settings.popup, fields);
    return formTabs.popup.safeParse(entered).data ?? entered;
  }
  const entered = (fields["forms"] as Layer[]).find(({ name }) => name === id.name)!;
  const form = replaceMembers({}, entered);
  return namedForm.safeParse(form).data ?? form;
}

/** Returns the defaults with a change, as entered. */
function withRaw(form: Settings["form"], { fields }: TabEdit): Settings["form"] {
  // Without any text left, there are no languages.
  return { ...form, locales: {}, ...replaceMembers(form, fields) };
}

/** Returns the texts that a form has of its own, by language. */
export function textsByLocale(form: Settings["form"], id: DraftedId): Record<string, Layer> {
  const texts = Object.keys(form.locales).map((locale) => [locale, ownTextsIn(form, id, locale)] as const);
  return Object.fromEntries(texts.filter(([, own]) => Object.keys(own).length > 0));
}

/** The members that say when pages show a form. */
const WHEN_SHOWN = membersWith(({ section }) => section === "status");

/** Returns whether two drafts of a form differ in when pages show it. */
export const changesWhenShown = (before: DraftedForm, after: DraftedForm): boolean =>
  WHEN_SHOWN.some((name) => differs(before.form, after.form, name));

const differs = (one: Layer, other: Layer, name: string) => changesBetween(one[name], other[name]).length > 0;

/** Returns a draft without what differs in nothing from the published form, and without what has actions of its own. */
export function normalizedDraft(settings: Settings, id: DraftedId, draft: DraftContent): DraftContent {
  const published = formOf(settings, id.name);
  const values = withChangedTimes(settings, id, draftable(draft.values));
  const drafted = draftedForm(settings, id, { values });
  const { image } = draft;
  const texts = Object.entries(draft.texts ?? {}).filter(([locale, own]) =>
    !isSame(translatedForm.safeParse(own).data ?? own, ownTextsIn(settings.form, id, locale))
  );
  return {
    values: isSame(drafted?.form, published) ? {} : values,
    ...(image !== undefined && !isSame(image ?? undefined, published?.design?.image) && { image }),
    ...(texts.length > 0 && { texts: Object.fromEntries(texts) }),
  };
}

/**
 * Returns values without those that leave it as it is when pages show the form, so that a draft does not resume a form which
 * is paused later. One that is a draft itself goes live when it is published, so its status is left out, too.
 */
function withChangedTimes(settings: Settings, id: DraftedId, values: Layer): Layer {
  const others = without(values, WHEN_SHOWN);
  const [form, before] = [values, others].map((each) => draftedForm(settings, id, { values: each }));
  if (!form || !before) return others;
  const isDraft = isUnpublished(form.published);
  const isLeft = (name: string) => (name === "status" && isDraft) || !differs(before.form, form.form, name);
  return without(values, WHEN_SHOWN.filter(isLeft));
}

const without = (values: Layer, names: readonly string[]): Layer =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

/** Returns those values that a draft can have: the image is beside them, and title and experiment have actions of their own. */
function draftable({ design, ...values }: Layer): Layer {
  const kept = Object.entries(values).filter(([name]) => memberNamed(name)?.drafted !== false);
  const { image: _, ...look } = (design ?? {}) as Layer;
  return { ...Object.fromEntries(kept), ...(design !== undefined && { design: look }) };
}

/**
 * Returns what pages show of a form, all that it has of its own, for its history: not when they show it. Undefined if there is
 * no form of that name.
 */
export function contentOf(settings: Settings, id: DraftedId): DraftContent | undefined {
  const form = formOf(settings, id.name);
  if (!form) return undefined;
  const { name: _, ...own } = form as Layer;
  const image = form.design?.image;
  return {
    values: without(draftable(stored(own) as Layer), WHEN_SHOWN),
    ...(image !== undefined && { image }),
    texts: textsByLocale(settings.form, id),
  };
}

/**
 * Returns what changes whenever a form is published with another content, status or schedule. Its title and its experiment
 * have actions of their own, and a save of the form leaves them as they are.
 */
export function formVersion(settings: Settings, id: DraftedId): string {
  const { title: _, experiment: __, ...own } = { ...formOf(settings, id.name) } as Layer;
  const texts = Object.entries(textsByLocale(settings.form, id)).sort(([one], [other]) =>
    one < other ? -1 : 1
  );
  return sha256(JSON.stringify([own, texts])).slice(0, 16);
}

/** Returns whether two versions of a form are the same, in whatever order their members are. */
export const isSameContent = (one: DraftContent, other: DraftContent): boolean => isSame(one, other);

/** Returns whether a draft changes nothing. */
export const isEmptyDraft = ({ values, image, texts }: DraftContent): boolean =>
  Object.keys(values).length === 0 && image === undefined && texts === undefined;

/** Compares values as they are stored: an absent member is the same as one that is undefined. */
const isSame = (one: unknown, other: unknown) => isDeepStrictEqual(stored(one), stored(other));

const stored = (value: unknown) => JSON.parse(JSON.stringify(value ?? null)) as unknown;
