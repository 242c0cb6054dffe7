import type { FieldOption } from "./kinds.ts";

/** A part of a date that a visitor chooses. */
export interface DatePart {
  label: string;
  options: FieldOption[];
}

/** Returns the month and the day, named in a language, as a date without a year is entered. */
export function dateParts(locale: string): [month: DatePart, day: DatePart] {
  const capitalized = (name = "") => name.slice(0, 1).toLocaleUpperCase(locale) + name.slice(1);
  const names = new Intl.DisplayNames([locale], { type: "dateTimeField" });
  const month = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" });
  const numbers = (count: number) =>
    Array.from({ length: count }, (_, index) => String(index + 1).padStart(2, "0"));
  return [
    {
      label: capitalized(names.of("month")),
      options: numbers(12).map((value) => ({
        value,
        label: month.format(Date.UTC(2000, Number(value) - 1)),
      })),
    },
    {
      label: capitalized(names.of("day")),
      options: numbers(31).map((value) => ({ value, label: String(Number(value)) })),
    },
  ];
}
