import { Buffer } from "node:buffer";
import { z } from "zod";
import { IMAGE_PLACES } from "../../../../shared/design/tokens.ts";
import type { EncodedImage } from "../../../forms/images/encode_small.ts";
import { renewImage, storeImage } from "../../../forms/images/rows.ts";
import { imageId } from "../../../settings/schema/design_schema.ts";
import type { UploadedImage } from "../../../settings/forms/form_drafts.ts";
import type { AdminServices } from "../../frame/services.ts";
import { Refusal } from "../../frame/refusal.ts";

/** The input of an action that saves an image. */
export const imageInput = {
  /** The file in Base64. Without one, the image stays. */
  file: z.string().optional(),
  /** ID of an image that was uploaded earlier, in place of a file. cfbe keeps one that is no longer used for seven days. */
  id: imageId.optional(),
  alt: z.string().trim().max(300, "must be 300 characters or less").default(""),
  decorative: z.boolean().default(false),
  place: z.enum(IMAGE_PLACES),
};
type ImageInput = z.output<z.ZodObject<typeof imageInput>>;

/**
 * Checks an image, and stores its file if there is one.
 *
 * @param options.before ID of the image that stays without a file and an ID
 * @param options.later whether it may be described later, because no visitor sees it before that
 * @throws {Refusal} with every problem
 */
export async function uploadedImage(
  app: Pick<AdminServices, "kv" | "clock">,
  { file, id: earlier, alt, decorative, place }: ImageInput,
  { before, later }: { before: string | undefined; later: boolean },
): Promise<UploadedImage> {
  if (earlier !== undefined && !await renewImage(app, earlier)) {
    throw new Refusal(404, "no_image", "cfbe does not have this image any more. Upload it again.");
  }
  const kept = earlier ?? before;
  const problems: Record<string, string> = {};
  const isUndescribed = !alt && !decorative;
  if (isUndescribed && !later) {
    problems["alt"] = "Describe the image for people who don't see it, or mark it as decorative.";
  } else if (alt && decorative) {
    problems["alt"] = "Remove the description, or don't mark the image as decorative.";
  }
  const uploaded = file ? await convertBase64(file, (message) => problems["file"] = message) : undefined;
  if (!file && !kept) problems["file"] = "Choose an image file.";
  if (Object.keys(problems).length > 0) {
    throw new Refusal(
      422,
      "invalid",
      "The image was not saved. Please correct the highlighted fields.",
      problems,
    );
  }
  const id = uploaded ? await storeImage(app, uploaded) : kept!;
  if (before !== id) await keepForUndo(app, before);
  return { id, alt, place, ...(isUndescribed && { undescribed: true }) };
}

/** Keeps an image that something else takes the place of for another week, however old it is. Undo can bring it back. */
export async function keepForUndo(
  app: Pick<AdminServices, "kv" | "clock">,
  id: string | undefined,
): Promise<void> {
  if (id !== undefined) await renewImage(app, id);
}

/** Converts a file, or reports what is wrong with it. The code for it is loaded only now. */
async function convertBase64(
  base64: string,
  report: (problem: string) => void,
): Promise<EncodedImage | undefined> {
  const { BadImage, convertImage } = await import("../../../forms/images/convert.ts");
  try {
    return await convertImage(Buffer.from(base64, "base64"));
  } catch (error) {
    if (!(error instanceof BadImage)) throw error;
    report(error.message);
  }
}
