import type { DesignImage, FormDesign } from "../../../../shared/design/tokens.ts";
import type { Condition } from "../../../../shared/targeting.ts";
import { changesBetween } from "../../../platform/audit/changes.ts";
import type { Layer } from "../../../settings/store/precedence.ts";
import { CHECKED_TEXTS, textOf } from "../../../settings/schema/form_texts.ts";
import { memberNamed } from "../../../settings/schema/form_members.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { LocaleTag } from "../../../settings/schema/locale_tag.ts";
import { targeting } from "../../../settings/schema/targeting_schema.ts";
import { siteZone } from "../../../settings/schema/time_zone.ts";
import type { DraftedForm } from "../../../settings/forms/drafted_form.ts";
import { shownValue } from "../../parts/change_table.tsx";
import { capitalized } from "../../../platform/words/capitalized.ts";
import { languageName } from "../../../platform/words/language_name.ts";
import { minuteText } from "../../frame/dates.ts";
import { settingTitle } from "../../frame/setting_title.ts";
import { conditionText } from "../opens/condition_text.ts";
import { designValueText, PLACE_LABELS } from "../design/design_texts.ts";
import { PART_TITLES } from "../fields/order_list.tsx";
import {
  type Difference,
  ELEMENT_LISTS,
  elementDifferences,
  FIELD_LIST,
  labelsOf,
  translationDifferences,
} from "./element_differences.ts";

/** A difference, with the images that it is about. */
export interface ShownDifference extends Difference {
  images?: Record<"before" | "after", DesignImage | undefined>;
}

/**
 * Returns what differs between a published form and its draft: one row per text, setting, field and image, and one for all
 * languages that are removed together.
 */
export function draftDifferences(
  settings: Settings,
  { published, form, texts, undescribed }: Omit<DraftedForm, "edits">,
): ShownDifference[] {
  const { form: defaults } = settings;
  const before = published as Layer;
  const zone = siteZone(settings);
  const gone = Object.keys(texts.published).filter((locale) => !texts.drafted[locale]);
  const removed = gone.length > 1 ? gone : [];
  const others = new Set([...Object.keys(texts.published), ...Object.keys(texts.drafted)])
    .difference(new Set(removed));
  const labels = new Map([
    ...Object.entries(PART_TITLES),
    ...[before, form].flatMap(({ fields }) => [...labelsOf(FIELD_LIST, fields ?? defaults.fields)]),
  ]);
  return [
    ...valueDifferences(withoutParts(before, zone), withoutParts(form, zone), labels),
    ...imageDifference(imageOf(before), imageOf(form), undescribed),
    ...ELEMENT_LISTS.flatMap((list) =>
      elementDifferences(list, [before[list.member], form[list.member]], defaults[list.member])
    ),
    ...removed.length > 0
      ? [{ title: "Languages", before: removed.map(languageName).join(", "), after: "Removed" }]
      : [],
    ...[...others].flatMap((locale) => {
      const [was, is] = [texts.published[locale] ?? {}, texts.drafted[locale] ?? {}];
      const rows = textDifferences(form, was, is, defaults);
      return rows.map((row) => ({ ...row, title: `${languageName(locale)} › ${row.title}` }));
    }),
  ];
}

/** Returns a form without what has rows of its own, and with its times and its targeting in words. */
function withoutParts(
  { fields: _, interests: __, design, opens, countdown, schedule, status, ...others }: Layer,
  zone: string,
): Layer {
  const { image: ___, ...look } = (design ?? {}) as Layer;
  const worded = (holder: object) => ({
    ...holder,
    targeting: targetingText((holder as Layer)["targeting"], zone),
  });
  return {
    ...worded(others),
    ...(countdown ? { countdown: minuteText(String(countdown)) } : {}),
    ...(schedule ? { schedule: timesText(schedule) } : {}),
    status: capitalized(String(status ?? "live")),
    design: look,
    ...(opens ? { opens: worded(opens) } : {}),
  };
}

const timesText = (schedule: object) =>
  Object.fromEntries(Object.entries(schedule).map(([name, minute]) => [name, minuteText(String(minute))]));

function targetingText(value: unknown, zone: string): unknown {
  const groups = targeting.safeParse(value).data;
  if (!groups) return value;
  if (groups.length === 0) return undefined;
  return groups.map(({ conditions }) =>
    conditions.map((condition) => conditionText({ timeZone: zone, ...condition } as Condition)).join(", and ")
  ).join("; or ");
}

/** @param labels of the fields, by name */
function valueDifferences(before: Layer, after: Layer, labels: Labels = new Map()): Difference[] {
  return changesBetween(before, after).map(({ path, before, after }) => ({
    title: settingTitle(path),
    before: valueText(path, before, labels),
    after: valueText(path, after, labels),
  }));
}

type Labels = ReadonlyMap<string, string>;

/** The values that are names of something else, in words. */
const WORDED: Readonly<Record<string, (value: string, labels: Labels) => string>> = {
  order: (names, labels) => names.split(", ").map((name) => labels.get(name) ?? name).join(", "),
  language: (locale) => LocaleTag.safeParse(locale).success ? languageName(locale) : locale,
};

/** Returns a value as its input names it. */
function valueText(path: string, value: string | undefined, labels: Labels): string {
  const of = path.split(".").slice(-2);
  if (value === undefined) return shownValue(value);
  const text = of[0] === "design"
    ? designValueText(of[1] ?? "", value)
    : WORDED[path]?.(value, labels) ?? memberNamed(of.at(-1)!)?.choices?.[value];
  return text || shownValue(value);
}

const imageOf = ({ design }: Layer): FormDesign["image"] => (design as FormDesign | undefined)?.image;

function imageDifference(
  before: FormDesign["image"],
  after: FormDesign["image"],
  undescribed: boolean,
): ShownDifference[] {
  if (JSON.stringify(before) === JSON.stringify(after) && !undescribed) return [];
  const shown = (image: FormDesign["image"]) => typeof image === "object" ? image : undefined;
  return [{
    title: "Image",
    before: imageText(before),
    after: imageText(after, undescribed),
    images: { before: shown(before), after: shown(after) },
  }];
}

function imageText(image: FormDesign["image"], undescribed = false): string {
  if (image === undefined) return "not set";
  if (image === "none") return "No image";
  const described = image.alt ? `Description: ${image.alt}` : "Decorative";
  return `${PLACE_LABELS[image.place]}. ${undescribed ? "Not described yet" : described}`;
}

/** Returns what differs between the texts in one language. @param form has the fields and interests that they are of */
function textDifferences(form: Layer, before: Layer, after: Layer, defaults: Settings["form"]): Difference[] {
  const { fields: _, interests: __, ...others } = before;
  const { fields: ___, interests: ____, ...othersAfter } = after;
  const changed = CHECKED_TEXTS.filter((name) => textOf(before, name) !== textOf(after, name));
  return [
    ...valueDifferences(withoutKept(others, changed), withoutKept(othersAfter, changed)),
    ...ELEMENT_LISTS.flatMap((list) =>
      translationDifferences(
        list,
        [before[list.member], after[list.member]],
        form[list.member] ?? defaults[list.member],
      )
    ),
  ];
}

/** @param changed the texts that differ, whose rows say enough */
function withoutKept({ confirmedFor = {}, ...others }: Layer, changed: readonly string[]): Layer {
  const kept = Object.entries(confirmedFor as object).filter(([name]) => !changed.includes(name));
  return { ...others, confirmedFor: Object.fromEntries(kept) };
}
