import { COUNTRY_CODES } from "../../../shared/fields/countries.ts";
import type { DatePart, FieldOption, FormField } from "../../../shared/fields/kinds.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";

/** Returns the choices that fields need besides their own options, in one language; nothing that none of them needs. */
export function fieldChoices(
  fields: readonly FormField[],
  locale: string,
): Pick<PublicSettings, "countries" | "dateParts"> {
  return {
    ...(fields.some(({ kind }) => kind === "country") && { countries: cached(countries, locale) }),
    ...(fields.some(({ withoutYear }) => withoutYear) && { dateParts: cached(dateParts, locale) }),
  };
}

const cache = new Map<(locale: string) => unknown, Map<string, unknown>>();

/** Calls a function once per locale, because each takes milliseconds. */
function cached<Choices>(choicesIn: (locale: string) => Choices, locale: string): Choices {
  let byLocale = cache.get(choicesIn);
  if (!byLocale) cache.set(choicesIn, byLocale = new Map());
  if (!byLocale.has(locale)) byLocale.set(locale, choicesIn(locale));
  return byLocale.get(locale) as Choices;
}

/** Returns all countries with their names in a language, in its alphabetical order. */
function countries(locale: string): FieldOption[] {
  const names = new Intl.DisplayNames([locale], { type: "region" });
  const collator = new Intl.Collator(locale);
  return COUNTRY_CODES.map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => collator.compare(a.label, b.label));
}

/**
 * Returns the month and the day, named in a language and in its order. The values of months end with a hyphen, so that
 * they are not taken for days.
 */
function dateParts(locale: string): DatePart[] {
  const capitalized = (name = "") => name.slice(0, 1).toLocaleUpperCase(locale) + name.slice(1);
  const names = new Intl.DisplayNames([locale], { type: "dateTimeField" });
  const month = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" });
  const numbers = (count: number) =>
    Array.from({ length: count }, (_, index) => String(index + 1).padStart(2, "0"));
  const parts = {
    month: {
      label: capitalized(names.of("month")),
      options: numbers(12).map((number) => ({
        value: `${number}-`,
        label: month.format(Date.UTC(2000, Number(number) - 1)),
      })),
    },
    day: {
      label: capitalized(names.of("day")),
      options: numbers(31).map((value) => ({ value, label: String(Number(value)) })),
    },
  };
  const order = new Intl.DateTimeFormat(locale, { month: "long", day: "numeric" }).formatToParts();
  return order.flatMap(({ type }) => type === "month" || type === "day" ? parts[type] : []);
}
