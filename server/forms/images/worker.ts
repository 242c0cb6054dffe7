/**
 * Decodes an image and encodes it again, in a thread of its own: the codecs are WebAssembly, do not yield, and need much
 * memory, which ends with the thread. Receives the file and its kind, and replies with the result or with nothing.
 */
import decodeJpeg from "@jsquash/jpeg/decode.js";
import decodePng from "@jsquash/png/decode.js";
import decodeWebp from "@jsquash/webp/decode.js";
import encodeWebp from "@jsquash/webp/encode.js";
import { encodeSmall } from "./encode_small.ts";
import type { ImageHeader } from "./header.ts";
import type { Pixels } from "./resize.ts";

/** What the thread receives. */
export interface ImageTask {
  header: ImageHeader;
  file: Uint8Array<ArrayBuffer>;
}

const DECODERS: Record<ImageHeader["kind"], (file: ArrayBuffer) => Promise<ImageData>> = {
  // Phones store photos as the sensor sees them, and the orientation beside them.
  jpeg: (file) => decodeJpeg(file, { preserveOrientation: true }),
  png: (file) => decodePng(file),
  webp: (file) => decodeWebp(file),
};

async function encode({ data, width, height }: Pixels, quality: number): Promise<Uint8Array> {
  const image = new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height);
  return new Uint8Array(await encodeWebp(image, { quality }));
}

async function convert({ header, file }: ImageTask) {
  const { data, width, height } = await DECODERS[header.kind](file.buffer);
  // A file whose header and content disagree is not an honest one.
  if (width * height !== header.width * header.height) return undefined;
  return await encodeSmall({ data, width, height }, encode);
}

const thread = self as unknown as {
  onmessage: (event: MessageEvent<ImageTask>) => void;
  postMessage: (message: unknown) => void;
};

thread.onmessage = async ({ data }) => {
  thread.postMessage(await convert(data).catch(() => undefined));
};
