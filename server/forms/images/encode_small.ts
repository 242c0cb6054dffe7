import { type Pixels, shrink } from "./resize.ts";

/** Largest image that is stored, in bytes. */
export const MAX_IMAGE_BYTES = 60 * 1024;

/** What is tried in turn, from the best look to the worst. Lower qualities show artifacts before smaller sizes do. */
const ATTEMPTS: readonly { maxSide: number; quality: number }[] = [
  { maxSide: 1280, quality: 80 },
  { maxSide: 1280, quality: 65 },
  { maxSide: 1024, quality: 65 },
  { maxSide: 1024, quality: 50 },
  { maxSide: 800, quality: 55 },
  { maxSide: 640, quality: 50 },
  { maxSide: 480, quality: 45 },
  { maxSide: 320, quality: 40 },
];

export interface EncodedImage {
  bytes: Uint8Array;
  width: number;
  height: number;
}

/**
 * Encodes an image in at most `MAX_IMAGE_BYTES`, in the best size and quality that fit.
 *
 * @returns undefined if none fits
 */
export async function encodeSmall(
  image: Pixels,
  encode: (image: Pixels, quality: number) => Promise<Uint8Array>,
): Promise<EncodedImage | undefined> {
  let smaller = image;
  for (const { maxSide, quality } of ATTEMPTS) {
    smaller = shrink(smaller, maxSide);
    const bytes = await encode(smaller, quality);
    if (bytes.length <= MAX_IMAGE_BYTES) return { bytes, width: smaller.width, height: smaller.height };
  }
}
