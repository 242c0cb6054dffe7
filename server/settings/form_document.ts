import { z } from "zod";
import { namedForm, translatedForm } from "./form_schema.ts";
import { LocaleTag } from "./locale_tag.ts";
import type { Settings } from "./schema.ts";

/** Characters that a document has at most. A form with every field and language has a tenth of that. */
const DOCUMENT_MAX_CHARACTERS = 256 * 1024;

const FormDocument = z.strictObject({
  cfbe: z.literal("form", 'must be "form": export it from the page of a form'),
  v: z.literal(1, "must be 1: a newer version of cfbe has exported this form"),
  /** Without its status, schedule and experiment, which belong to the installation. */
  form: namedForm.omit({ status: true, schedule: true, experiment: true }),
  /** The form's texts by language. */
  texts: z.record(LocaleTag, translatedForm).default({}),
});

/** A form with its texts in all languages, as a file. */
export type FormDocument = z.output<typeof FormDocument>;

/** Returns a named form as a document; undefined if there is no form of that name. */
export function formDocument({ forms, form }: Settings, name: string): FormDocument | undefined {
  const found = forms.forms.find((each) => each.name === name);
  if (!found) return undefined;
  const { status: _, schedule: __, experiment: ___, ...portable } = found;
  const texts = Object.entries(form.locales).flatMap(([locale, { forms = [] }]) => {
    const own = forms.find((each) => each.name === name);
    if (!own) return [];
    const { name: _, ...translated } = own;
    return [[locale, translated] as const];
  });
  return { cfbe: "form", v: 1, form: portable, texts: Object.fromEntries(texts) };
}

/**
 * Reads a document. HTML in a text is refused although it would only be shown as text, because whoever wrote it
 * expects something else.
 *
 * @returns every problem, if it is invalid
 */
export function readFormDocument(
  text: string,
): { success: true; data: FormDocument } | { success: false; error: z.ZodError } {
  const json = Json.safeParse(text);
  if (!json.success) return json;
  const document = FormDocument.safeParse(json.data);
  const markup = markupIn(json.data);
  if (markup.length === 0) return document;
  return { success: false, error: new z.ZodError([...markup, ...document.error?.issues ?? []]) };
}

const Json = z.string().max(DOCUMENT_MAX_CHARACTERS, "must have at most 256 KB").transform(
  (json, context) => {
    try {
      return JSON.parse(json) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "must be the JSON of an exported form" });
      return z.NEVER;
    }
  },
);

type Issue = z.core.$ZodIssue;

/** More than a form has. Deeper members are unknown, and refused as such. */
const MAX_DEPTH = 20;

/** Returns a problem for each text with an HTML tag, and for each link that does not start with https://. */
function markupIn(value: unknown, path: PropertyKey[] = []): Issue[] {
  if (path.length > MAX_DEPTH) return [];
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([name, each]) =>
      markupIn(each, [...path, Array.isArray(value) ? Number(name) : name])
    );
  }
  if (typeof value !== "string") return [];
  const problem = (message: string): Issue => ({ code: "custom", path, message, input: value });
  return [
    ...(/<[a-z/!]/i.test(value) ? [problem("must not contain HTML, which would be shown as text")] : []),
    ...(/\]\((?!https:\/\/)/i.test(value)
      ? [problem("must only contain links that start with https://")]
      : []),
  ];
}
