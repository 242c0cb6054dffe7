import { FIELD_KIND_NAMES, type FieldKind, type FormField } from "../../../shared/fields/kinds.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";

const OPTIONS = [{ value: "s", label: "Small" }, { value: "l", label: "Large" }];

const MORE: Partial<Record<FieldKind, Partial<FormField>>> = {
  text: { max: 20, help: "As on your invoices, in the language of the invoices, with the legal form." },
  number: { min: 1, max: 9 },
  date: { withoutYear: true },
  select: { options: OPTIONS },
  radio: { options: OPTIONS, required: true },
  multiSelect: { options: OPTIONS, help: "Choose any." },
  consent: { label: "Text me. See the [terms of the text messages](https://shop.example/sms)." },
  hidden: { from: "query", key: "utm_source" },
};

/** A field of every kind, named like its kind. */
export const EVERY_FIELD: FormField[] = FIELD_KIND_NAMES.map((kind) => ({
  name: kind.toLowerCase(),
  kind,
  label: `My ${kind}`,
  ...MORE[kind],
}));

/** What the fields need of the settings besides their own options. Shorter than what the server sends. */
export const CHOICES = {
  countries: [
    { value: "AT", label: "Austria" },
    { value: "FR", label: "France" },
    { value: "DE", label: "Germany" },
  ],
  dateParts: [
    { label: "Month", options: [{ value: "06", label: "June" }, { value: "07", label: "July" }] },
    { label: "Day", options: [{ value: "14", label: "14" }] },
  ],
} satisfies Partial<PublicSettings>;
