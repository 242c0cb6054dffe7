import { FIELD_KIND_NAMES, traitsOf } from "../../../../shared/fields/kinds.ts";
import { changesBetween } from "../../../platform/audit/changes.ts";
import type { Layer } from "../../../settings/store/precedence.ts";
import { settingTitle } from "../../frame/setting_title.ts";
import { shownValue } from "../../parts/change_table.tsx";

/** One row of a list of differences. */
export interface Difference {
  title: string;
  before: string;
  after: string;
}

/** A list of a form whose elements are compared by name, and shown in one row each. */
export interface ElementList {
  /** Of one element, such as `Field`. */
  noun: string;
  /** The member of a form that the list is. */
  member: "fields" | "interests";
  /** Member that names an element. */
  key: "name" | "tag";
  /** Returns what a whole element is, for one that was added or removed. */
  summary(element: Layer): string;
}

const ABSENT = "Not in the form";

export const FIELD_LIST: ElementList = {
  noun: "Field",
  member: "fields",
  key: "name",
  summary({ kind, required, withoutYear }) {
    const known = FIELD_KIND_NAMES.find((each) => each === kind);
    const title = known ? traitsOf(known).title : String(kind);
    return `${title}${withoutYear ? " without the year" : ""}, ${required ? "required" : "optional"}`;
  },
};

const INTEREST_LIST: ElementList = {
  noun: "Interest",
  member: "interests",
  key: "tag",
  summary: ({ tag }) => `Tag ${tag}`,
};

/** The lists of a form that differences show by element. */
export const ELEMENT_LISTS: readonly ElementList[] = [FIELD_LIST, INTEREST_LIST];

/**
 * Returns a row for each element that was added, removed or changed, and one if their order differs.
 *
 * @param inherited what the form shows while it has no list of its own
 */
export function elementDifferences(
  list: ElementList,
  [before, after]: readonly [unknown, unknown],
  inherited: readonly object[],
): Difference[] {
  const [was, is] = [byKey(list, before ?? inherited), byKey(list, after ?? inherited)];
  const owner = (own: unknown) => own === undefined ? "Those of the form defaults" : "Its own";
  const isMoved = owner(before) !== owner(after);
  return [
    ...(isMoved ? [{ title: settingTitle(list.member), before: owner(before), after: owner(after) }] : []),
    ...[...new Set([...was.keys(), ...is.keys()])].flatMap((key) =>
      elementDifference(list, was.get(key), is.get(key))
    ),
    ...orderDifference(list, was, is),
  ];
}

function byKey({ key }: ElementList, elements: unknown): Map<string, Layer> {
  // A draft may have become invalid.
  const objects = Array.isArray(elements) ? elements.filter((each) => typeof each === "object" && each) : [];
  return new Map(objects.map((element: Layer) => [String(element[key]), element]));
}

function elementDifference(
  list: ElementList,
  before: Layer | undefined,
  after: Layer | undefined,
): Difference[] {
  const title = `${list.noun} “${labelOf(list, after ?? before!)}”`;
  if (!before || !after) {
    const summary = (element: Layer | undefined) => element ? list.summary(element) : ABSENT;
    return [{ title, before: summary(before), after: summary(after) }];
  }
  const changes = changesBetween(before, after);
  if (changes.length === 0) return [];
  const text = (side: "before" | "after") =>
    changes.map((change) => `${settingTitle(change.path)}: ${shownValue(change[side])}`).join("; ");
  return [{ title, before: text("before"), after: text("after") }];
}

/** Returns the labels of elements, by what names them. */
export const labelsOf = (list: ElementList, elements: unknown): Map<string, string> =>
  new Map([...byKey(list, elements)].map(([key, element]) => [key, labelOf(list, element)]));

function orderDifference(list: ElementList, was: Map<string, Layer>, is: Map<string, Layer>): Difference[] {
  const order = (of: Map<string, Layer>) => [...of.keys()].filter((key) => was.has(key) && is.has(key));
  const labels = (of: Map<string, Layer>) => order(of).map((key) => labelOf(list, of.get(key)!)).join(", ");
  return order(was).join() === order(is).join()
    ? []
    : [{ title: `${settingTitle(list.member)} › Order`, before: labels(was), after: labels(is) }];
}

/** Returns the label of an element. A field with the built-in label of its kind has the title of the kind. */
function labelOf({ key }: ElementList, element: Layer): string {
  const kind = FIELD_KIND_NAMES.find((each) => each === element["kind"]);
  return String(element["label"] || (kind && traitsOf(kind).title) || element[key]);
}

/**
 * Returns a row for each element whose texts in one language differ.
 *
 * @param elements those of the form, for their labels
 */
export function translationDifferences(
  list: ElementList,
  [before, after]: readonly [unknown, unknown],
  elements: unknown,
): Difference[] {
  const [was, is, known] = [byKey(list, before), byKey(list, after), byKey(list, elements)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const changes = changesBetween(textsOf(was.get(key)), textsOf(is.get(key)));
    if (changes.length === 0) return [];
    const text = (side: "before" | "after") =>
      changes.map((change) => `${change.path}: ${shownValue(change[side])}`).join("; ");
    const element = known.get(key);
    const title = `${list.noun} “${element ? labelOf(list, element) : key}”`;
    return [{ title, before: text("before"), after: text("after") }];
  });
}

/** Returns the texts of a translated element that are set. */
function textsOf({ label, help, options }: Layer = {}): Record<string, string> {
  const translated = Array.isArray(options) ? options as { value: string; label: string }[] : [];
  const texts = [
    ["Label", label],
    ["Help", help],
    ...translated.map(({ value, label }) => [`“${value}”`, label]),
  ];
  return Object.fromEntries(texts.filter(([, text]) => text)) as Record<string, string>;
}
