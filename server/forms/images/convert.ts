import type { EncodedImage } from "./encode_small.ts";
import { readHeader } from "./header.ts";
import type { ImageTask } from "./worker.ts";

/** Largest file that can be uploaded, in bytes. */
export const MAX_FILE_BYTES = 6 * 1024 * 1024;
export const TOO_LARGE = `The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB. Choose a smaller one.`;
/** Largest image that is decoded, in pixels: that of a phone's camera, which needs about 200 MB. */
const MAX_PIXELS = 16_000_000;
const MAX_SECONDS = 20;

/** An image cannot be used. The message is a sentence for the user. */
export class BadImage extends Error {
  override readonly name = "BadImage";
}

/** Ends the wait for the thread; the tests pass a shorter one. */
export interface ConvertOptions {
  maxSeconds?: number;
}

let queue: Promise<unknown> = Promise.resolve();

/**
 * Converts an uploaded file to a small WebP image, without its metadata. One image at a time, because each needs much
 * memory.
 *
 * @throws {BadImage} if the file is no JPEG, PNG or WebP image, too large, for print, damaged, or takes too long
 */
export function convertImage(file: Uint8Array, options: ConvertOptions = {}): Promise<EncodedImage> {
  const result = queue.then(() => convert(file, options));
  queue = result.catch(() => {});
  return result;
}

async function convert(
  file: Uint8Array,
  { maxSeconds = MAX_SECONDS }: ConvertOptions,
): Promise<EncodedImage> {
  if (file.length > MAX_FILE_BYTES) {
    throw new BadImage(TOO_LARGE);
  }
  const header = readHeader(file);
  if (!header) throw new BadImage("The file is not a JPEG, PNG or WebP image. Choose another one.");
  const { width, height, isCmyk } = header;
  if (width * height > MAX_PIXELS) {
    throw new BadImage(
      `The image has ${width} × ${height} pixels. Reduce it to at most ${MAX_PIXELS / 1e6} megapixels.`,
    );
  }
  if (isCmyk) {
    throw new BadImage("The image has colors for print (CMYK). Save it as RGB, and choose it again.");
  }
  // A copy of its own, because the thread takes its memory.
  const encoded = await inThread({ header, file: new Uint8Array(file) }, maxSeconds);
  if (!encoded) {
    throw new BadImage(
      "The image cannot be read: it is damaged, animated or too detailed. Choose another one.",
    );
  }
  return encoded;
}

async function inThread(task: ImageTask, maxSeconds: number): Promise<EncodedImage | undefined> {
  const thread = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<EncodedImage | undefined>();
  const timer = setTimeout(
    () => reject(new BadImage("Reading the image took too long. Choose a smaller one.")),
    maxSeconds * 1000,
  );
  thread.onmessage = ({ data }) => resolve(data);
  thread.onerror = (event) => {
    event.preventDefault();
    resolve(undefined);
  };
  try {
    thread.postMessage(task, [task.file.buffer]);
    return await promise;
  } finally {
    clearTimeout(timer);
    thread.terminate();
  }
}
