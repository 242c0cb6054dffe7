import { type ComponentChildren, Fragment, type VNode } from "preact";
import { directionOf } from "../../../../shared/texts/locales.ts";
import { outdatedTexts } from "../../../forms/ready/outdated_texts.ts";
import { formOf, formQuery } from "../../../settings/forms/all_forms.ts";
import { editOfFormLocale, withEdit } from "../../../settings/forms/form_edits.ts";
import { type MissingText, missingTexts } from "../../../settings/forms/missing_texts.ts";
import type { DraftedId, FormDraft } from "../../../settings/forms/form_drafts.ts";
import {
  imageAltOf,
  localeOfForm,
  settingsOfForm,
  settingsOfFormIn,
  shownTranslation,
  translatedFormIn,
  translationIn,
  variantTextsIn,
} from "../../../settings/forms/form_settings.ts";
import type { Variant } from "../../../settings/schema/experiment_schema.ts";
import type { FieldTexts } from "../../../settings/schema/field_schema.ts";
import { translatedTexts, variedTextNames } from "../../../settings/schema/form_layers.ts";
import { FORM_MEMBERS, type MemberName } from "../../../settings/schema/form_members.ts";
import type { View } from "../../frame/view.ts";
import { PostForm } from "../../parts/form.tsx";
import { formPath } from "../../parts/form_path.ts";
import { OrInherited } from "../../parts/or_inherited.tsx";
import { CouponHelp } from "../after_signup.tsx";
import { DraftState, seenVersion } from "../draft_state.tsx";
import { FieldTextsList, fieldTextsOf } from "../fields/field_texts.tsx";
import { MemberInput, memberOf } from "../fields/member_input.tsx";
import { TRANSLATION_FORM } from "../fields/members.tsx";
import { TextFields } from "../fields/text_fields.tsx";
import { type LanguageGaps, NO_GAPS } from "../language_gaps.ts";
import { InterestLabels, translated } from "../translation.tsx";
import { KeepTexts, TextToCheck } from "./text_to_check.tsx";
import { PanelCard, SameInAll } from "./panel.tsx";
import { IMAGE_PANEL, membersOf, type Panel, PANELS, textsOf, textsOfFields } from "./panels.tsx";

type DesignPanel = Pick<Panel, "id" | "title" | "section">;

/** What the first step of the editor shows of a form, in its order. */
const DESIGN_PANELS: readonly DesignPanel[] = [
  IMAGE_PANEL,
  ...PANELS.filter(({ step }) => step === "design"),
];

/** Returns the members that a form, or its variant, has in a language, and that are texts. */
function textMembers(view: View, id: DraftedId, variant?: Variant): MemberName[] {
  if (variant) return variedTextNames();
  const settings = view.app.settings.current();
  const form = formOf(settings, id.name);
  const has: Partial<Record<MemberName, boolean>> = {
    countdownAfter: form?.countdownAfter !== undefined,
    imageAlt: imageAltOf(settings, form) !== "",
  };
  return translatedTexts().filter((name) => has[name] ?? true);
}

/** Returns the panels that have texts of a form, or of its variant. The others are the same in all languages. */
export function translatedPanels(view: View, id: DraftedId, variant?: Variant): Set<string> {
  const names = textMembers(view, id, variant);
  const panels = DESIGN_PANELS.filter((panel) =>
    membersOf(panel, names).length > 0 || (!variant && textsOf(panel.id).length > 0)
  );
  return new Set(panels.map(({ id }) => id));
}

/** Returns the panels with a text of its own in a language, and the fields, as `fields.NAME`. */
export function panelsInLanguage(
  view: View,
  id: DraftedId,
  locale: string,
  variant?: Variant,
): Set<string> {
  const own: Record<string, unknown> = {
    ...(variant
      ? variant.overrides.locales?.[locale]
      : translatedFormIn(translationIn(view.app.settings.current().form, locale), id.name)),
  };
  const { texts = {}, interests = [], fields = [] } = own as {
    texts?: Record<string, string>;
    interests?: unknown[];
    fields?: FieldTexts[];
  };
  const names = textMembers(view, id, variant).filter((name) => own[name]);
  const panels = DESIGN_PANELS.filter((panel) =>
    membersOf(panel, names).length > 0 || textsOf(panel.id).some((name) => texts[name]) ||
    (panel.id === "interests" && interests.length > 0)
  );
  const written = fields.filter(({ label, help, options = [] }) =>
    label || help || options.some((option) => option.label)
  );
  return new Set([...panels.map(({ id }) => id), ...written.map(({ name }) => `fields.${name}`)]);
}

/** Returns what is to do in a language, by panel, or by field, as `fields.NAME`. */
export function gapsInLanguage(view: View, id: DraftedId, locale: string): Map<string, LanguageGaps> {
  const panelOf = (missing: MissingText) => {
    if ("field" in missing) return `fields.${missing.field}`;
    const panel = DESIGN_PANELS.find((panel) =>
      "text" in missing
        ? textsOf(panel.id).some((name) => name === missing.text)
        : membersOf(panel, [missing.member as MemberName]).length > 0
    );
    return panel?.id ?? "";
  };
  const settings = view.app.settings.current();
  const gaps = new Map<string, LanguageGaps>();
  const add = (text: MissingText, kind: keyof LanguageGaps) => {
    const known = gaps.get(panelOf(text)) ?? NO_GAPS;
    gaps.set(panelOf(text), { ...known, [kind]: known[kind] + 1 });
  };
  for (const text of missingTexts(settings, id, locale)) add(text, "missing");
  for (const { name } of outdatedTexts(settings, id, locale)) {
    add(name in FORM_MEMBERS ? { member: name } : { text: name }, "toCheck");
  }
  return gaps;
}

/** The texts of a form in one language, in the panels of the form's elements. */
export function Translation(
  { view, id, locale, draft }: {
    view: View;
    id: DraftedId;
    locale: string;
    draft: FormDraft | undefined;
  },
): VNode {
  const settings = view.app.settings.current();
  const own = translatedFormIn(translationIn(settings.form, locale), id.name);
  const { interests = [], fields = [], countdownAfter } = formOf(settings, id.name) ?? {};
  const untranslated = withEdit(
    settings,
    editOfFormLocale(settings, id, locale, { texts: {} }),
    view.app.settings.providers,
  ) ?? settings;
  const shownIn = localeOfForm(settings, id, [locale]);
  const shown = settingsOfFormIn(untranslated, id, shownIn);
  const ofLanguage = translatedFormIn(shownTranslation(untranslated, shownIn), id.name);
  const instead = {
    ...shown,
    countdownAfter: ofLanguage?.countdownAfter || countdownAfter,
    imageAlt: shown.design.image?.alt,
  };
  const dir = directionOf(locale);
  const names = textMembers(view, id);
  const outdated = outdatedTexts(settings, id, locale);
  const check = (name: string) => <TextToCheck view={view} name={name} outdated={outdated} />;
  const lists: Record<string, VNode> = {
    interests: <InterestLabels interests={interests} instead={instead.interests} dir={dir} />,
    fields: <FieldTextsList fields={fields} instead={instead.fields} dir={dir} />,
    "after-signup": <CouponHelp view={view} />,
  };
  return (
    <>
      <PostForm
        view={view}
        action="cfbe_save_form_texts"
        tab="form"
        version={seenVersion(view, id)}
        partOf="locales"
        id={TRANSLATION_FORM}
        class="form settings"
        match={{ ...formQuery(id.name), locale }}
        current={{
          ...own,
          interests: translated(interests, own?.interests),
          fields: fieldTextsOf(fields, own?.fields),
        }}
      >
        <LanguagePanels view={view} id={id} has={translatedPanels(view, id)}>
          {(panel) => (
            <>
              {lists[panel.id]}
              <TextMembers
                names={membersOf(panel, names)}
                locale={locale}
                instead={{ ...instead.texts, ...instead }}
                below={check}
              />
              <TextFields
                at="texts"
                names={panel.id === "fields" ? textsOfFields({ view, id }, own?.texts) : textsOf(panel.id)}
                instead={instead.texts}
                dir={dir}
                below={check}
              />
            </>
          )}
        </LanguagePanels>
        <DraftState view={view} draft={draft} />
      </PostForm>
      <KeepTexts view={view} id={id} locale={locale} outdated={outdated} />
    </>
  );
}

/** The texts of a variant in one language, in the panels of its elements. */
export function VariantTexts({ view, id, variant, locale }: {
  view: View;
  id: DraftedId;
  variant: Variant;
  locale: string;
}): VNode {
  const settings = view.app.settings.current();
  const { locales: { [locale]: _, ...locales } = {}, ...forAll } = variant.overrides;
  const { texts, ...values } = settingsOfForm(settings, id, [locale]);
  const instead = {
    ...formOf(settings, id.name),
    ...values,
    ...texts,
    ...forAll,
    ...translatedFormIn(shownTranslation(settings, locale), id.name),
    ...variantTextsIn(settings, { locales }, locale),
  };
  const names = textMembers(view, id, variant);
  return (
    <LanguagePanels view={view} id={id} variant={variant} has={translatedPanels(view, id, variant)}>
      {(panel) => (
        <TextMembers names={membersOf(panel, names)} locale={locale} instead={instead} at="fields." />
      )}
    </LanguagePanels>
  );
}

/** The inputs for members that are texts, in one language. An empty one inherits. */
function TextMembers({ names, locale, instead, at = "", below }: {
  names: readonly MemberName[];
  locale: string;
  /** The texts that are shown without those in this language. */
  instead: object;
  at?: string;
  /** Returns what to show below an input. */
  below?(name: MemberName): VNode | null;
}): VNode {
  const inherited = instead as Record<string, unknown>;
  return (
    <>
      {names.map((name) => (
        <Fragment key={name}>
          <OrInherited label={memberOf(name).label}>
            <MemberInput
              name={name}
              path={`${at}${name}`}
              help={memberOf(name).helpIn?.translation}
              placeholder={String(inherited[name] || " ")}
              dir={directionOf(locale)}
              optional
            />
          </OrInherited>
          {below?.(name)}
        </Fragment>
      ))}
    </>
  );
}

/** The panels of a form's elements in one language: those without texts lead to the form. */
function LanguagePanels({ view, id, variant, has, children }: {
  view: View;
  id: DraftedId;
  variant?: Variant;
  has: ReadonlySet<string>;
  children: (panel: DesignPanel) => ComponentChildren;
}): VNode {
  const original = view.href(formPath(id.name, variant && { variant: variant.id }));
  const mayChange = !variant || view.mayRun("cfbe_edit_variant");
  return (
    <>
      {DESIGN_PANELS.map((panel) =>
        has.has(panel.id)
          ? (
            <PanelCard key={panel.id} id={panel.id} step="design" title={panel.title}>
              {children(panel)}
            </PanelCard>
          )
          : (
            <SameInAll
              key={panel.id}
              id={panel.id}
              title={panel.title}
              href={`${original}#${panel.id}`}
              change={mayChange ? "Change it for all languages" : undefined}
            >
              {variant && panel === IMAGE_PANEL
                ? "A variant’s image and its description are the same in all languages."
                : "The same in all languages."}
            </SameInAll>
          )
      )}
    </>
  );
}
