import { z } from "zod";
import { imageId } from "../schema/design_schema.ts";
import { experimentSetup, MAX_VARIANTS, type Variant } from "../schema/experiment_schema.ts";
import { membersWith } from "../schema/form_members.ts";
import { namedForm, translatedForm } from "../schema/form_schema.ts";
import { LocaleTag } from "../schema/locale_tag.ts";
import type { Settings } from "../schema/schema.ts";

/** Characters of a document without its images. A form with every field and language has a tenth of that. */
const DOCUMENT_MAX_CHARACTERS = 256 * 1024;
/** Base64 characters of an image, which has at most 60 KB. */
const IMAGE_MAX_CHARACTERS = 80 * 1024;
/** One of the form, and one of each variant. */
const MAX_IMAGES = 1 + MAX_VARIANTS;
const FILE_MAX_KB = (DOCUMENT_MAX_CHARACTERS + MAX_IMAGES * IMAGE_MAX_CHARACTERS) / 1024;

const images = z.record(
  imageId,
  z.base64("must be a file in Base64").max(IMAGE_MAX_CHARACTERS, "must have at most 60 KB"),
  { error: ({ code }) => code === "invalid_key" ? "must be the ID of an image" : undefined },
).refine((images) => Object.keys(images).length <= MAX_IMAGES, `must have at most ${MAX_IMAGES} images`);

type Kept = "status" | "schedule" | "experiment";
const KEPT = membersWith(({ exported }) => exported === false) as Kept[];
const portableForm = namedForm.omit(
  Object.fromEntries(KEPT.map((name) => [name, true])) as Record<Kept, true>,
);

const portable = (form: z.output<typeof namedForm>): z.output<typeof portableForm> => {
  const members = Object.entries(form).filter(([name]) => !KEPT.some((kept) => kept === name));
  return Object.fromEntries(members) as z.output<typeof portableForm>;
};

const FormDocument = z.strictObject({
  cfbe: z.literal("form", 'must be "form": export it from the page of a form'),
  v: z.literal(1, "must be 1: a newer version of cfbe has exported this form"),
  /** Without its status and schedule, which belong to the installation, and without the state of its experiment. */
  form: portableForm.extend({
    experiment: experimentSetup.optional(),
  }),
  /** The form's texts by language. */
  texts: z.record(LocaleTag, translatedForm).default({}),
  /** The files of the form's images by their IDs. */
  images: images.optional(),
}).superRefine(({ form, images = {} }, ctx) => {
  const used = imagesOf(form);
  for (const id of Object.keys(images)) {
    if (used.includes(id)) continue;
    ctx.addIssue({ code: "custom", path: ["images", id], message: "must be an image that the form shows" });
  }
});

/** A form with its texts in all languages, as a file. */
export type FormDocument = z.output<typeof FormDocument>;

type DocumentForm = FormDocument["form"];

/** Returns the IDs of the images that a form and its variants show. */
export function imagesOf({ design, experiment }: Pick<DocumentForm, "design" | "experiment">): string[] {
  const designs = [design, ...experiment?.variants.map(({ overrides }) => overrides.design) ?? []];
  return [...new Set(designs.flatMap((each) => typeof each?.image === "object" ? [each.image.id] : []))];
}

/**
 * Returns a form with other images.
 *
 * @param idOf returns the ID in place of another; undefined removes the image
 */
export function withImages(form: DocumentForm, idOf: (id: string) => string | undefined): DocumentForm {
  const { experiment } = form;
  return {
    ...withImage(form, idOf),
    ...(experiment &&
      { experiment: { variants: experiment.variants.map((each) => variantWith(each, idOf)) } }),
  };
}

/** Returns a variant with another image. Without one, there is nothing left to describe. */
function variantWith(
  { undescribed, ...variant }: Variant,
  idOf: (id: string) => string | undefined,
): Variant {
  const overrides = withImage(variant.overrides, idOf);
  const isLeft = undescribed && typeof overrides.design?.image === "object";
  return { ...variant, ...(isLeft && { undescribed }), overrides };
}

/** Returns what has a design with another image, and without a design of which nothing is left. */
function withImage<Designed extends { design?: DocumentForm["design"] }>(
  designed: Designed,
  idOf: (id: string) => string | undefined,
): Designed {
  const { design, ...rest } = designed;
  if (typeof design?.image !== "object") return designed;
  const { image, ...look } = design;
  const id = idOf(image.id);
  const changed = { ...look, ...(id !== undefined && { image: { ...image, id } }) };
  return { ...rest, ...(Object.keys(changed).length > 0 && { design: changed }) } as Designed;
}

/** Returns a published form as a document without its images; undefined if there is no form of that name. */
export function formDocument({ forms, form }: Settings, name: string): FormDocument | undefined {
  const found = forms.forms.find((each) => each.name === name);
  if (!found) return undefined;
  // Without one that is over: its winner is the form.
  const experiment = found.experiment?.kept === undefined ? found.experiment : undefined;
  const texts = Object.entries(form.locales).flatMap(([locale, { forms = [] }]) => {
    const own = forms.find((each) => each.name === name);
    if (!own) return [];
    const { name: _, ...translated } = own;
    return [[locale, translated] as const];
  });
  return {
    cfbe: "form",
    v: 1,
    form: { ...portable(found), ...(experiment && { experiment: { variants: experiment.variants } }) },
    texts: Object.fromEntries(texts),
  };
}

/** The images of a document that has a problem elsewhere, so that theirs are reported, too. */
const OnlyImages = z.object({ images });

/**
 * Reads a document. HTML in a text is refused although it would only be shown as text, because whoever wrote it
 * expects something else. The images are not decoded.
 *
 * @returns every problem, if it is invalid, and the images if those have none
 */
export function readFormDocument(
  text: string,
): { success: true; data: FormDocument } | {
  success: false;
  error: z.ZodError;
  images: Record<string, string>;
} {
  const json = Json.safeParse(text);
  if (!json.success) return { ...json, images: {} };
  const document = FormDocument.safeParse(json.data);
  const { images: _, ...texts } = Object(json.data);
  const markup = markupIn(texts);
  if (document.success && markup.length === 0) return document;
  const error = new z.ZodError([...markup, ...document.error?.issues ?? []]);
  return { success: false, error, images: OnlyImages.safeParse(json.data).data?.images ?? {} };
}

const Json = z.string().max(FILE_MAX_KB * 1024, `must have at most ${FILE_MAX_KB} KB`).transform(
  (json, context) => {
    const refuse = (message: string) => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    try {
      const value = JSON.parse(json) as unknown;
      const { images = {} } = Object(value);
      const rest = json.length - JSON.stringify(images).length;
      return rest <= DOCUMENT_MAX_CHARACTERS
        ? value
        : refuse(`must have at most ${DOCUMENT_MAX_CHARACTERS / 1024} KB without its images`);
    } catch {
      return refuse("must be the JSON of an exported form");
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
