import { Buffer } from "node:buffer";
import type { Kv } from "../../platform/kv/port.ts";
import { type FormDocument, formDocument, imagesOf } from "../../settings/forms/form_document.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { EncodedImage } from "./encode_small.ts";
import { idOf, readImage } from "./rows.ts";

/** Returns a published form as a document with its images; undefined if there is no form of that name. */
export async function exportedForm(
  { kv, settings }: { kv: Kv; settings: { current(): Settings } },
  name: string,
): Promise<FormDocument | undefined> {
  const document = formDocument(settings.current(), name);
  if (!document) return undefined;
  const images: Record<string, string> = {};
  for (const id of imagesOf(document.form)) {
    const bytes = await readImage(kv, id);
    if (bytes) images[id] = Buffer.from(bytes).toString("base64");
  }
  return { ...document, ...(Object.keys(images).length > 0 && { images }) };
}

/** The images of a document, ready to be stored. */
export interface ImportedImages {
  /** The ID here, by the ID in the document. One that is stored here already is not among them: it keeps its ID. */
  ids: Map<string, string>;
  /** To be stored. */
  converted: EncodedImage[];
  /** What is wrong, by the ID in the document. */
  problems: Map<string, string>;
}

/**
 * Converts the images of a document like uploads: they may come from anywhere. One that is stored here with the same bytes
 * stays as it is.
 */
export async function importedImages(
  kv: Kv,
  images: Readonly<Record<string, string>>,
): Promise<ImportedImages> {
  const imported: ImportedImages = { ids: new Map(), converted: [], problems: new Map() };
  const { BadImage, convertImage } = await import("./convert.ts");
  for (const [id, base64] of Object.entries(images)) {
    const bytes = Buffer.from(base64, "base64");
    const stored = await readImage(kv, id);
    if (stored && bytes.equals(stored)) continue;
    try {
      const image = await convertImage(bytes);
      imported.converted.push(image);
      imported.ids.set(id, idOf(image));
    } catch (error) {
      if (!(error instanceof BadImage)) throw error;
      imported.problems.set(id, error.message);
    }
  }
  return imported;
}
