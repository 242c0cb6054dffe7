import encodeJpeg from "@jsquash/jpeg/encode.js";
import encodePng from "@jsquash/png/encode.js";
import encodeWebp from "@jsquash/webp/encode.js";

/** Image files for tests. */

const ENCODERS = { jpeg: encodeJpeg, png: encodePng, webp: encodeWebp };
export type Kind = keyof typeof ENCODERS;

/** Returns an image file. `noise` makes it as hard to compress as can be. */
export async function imageFile(
  kind: Kind,
  { width = 64, height = 32, noise = false }: { width?: number; height?: number; noise?: boolean } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const data = new Uint8ClampedArray(width * height * 4);
  let state = 1;
  for (let at = 0; at < data.length; at += 4) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const value = noise ? state >>> 16 : at / 4 % width;
    data.set([value & 255, value >> 1 & 255, noise ? state >>> 24 : 120, 255], at);
  }
  return new Uint8Array(await ENCODERS[kind](new ImageData(data, width, height)));
}

/** Returns a JPEG file of 16 × 16 pixels with the colors of a printer (CMYK), as image editors save it. */
export const cmykFile = (): Uint8Array<ArrayBuffer> =>
  Uint8Array.fromBase64(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3OFBtUVdfYmdoZz5NcXlwZHhc" +
      "ZWdj/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EABUAAQEAAAAAAAAAAAAAAAAAAAAG/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAA4EQwBNAFkASwAA" +
      "PwCaWK7XoAAAD//Z",
  );

/** Inserts a segment after the start of a JPEG file. */
export function withSegment(jpeg: Uint8Array, marker: number, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = content.length + 2;
  return Uint8Array.of(
    ...jpeg.slice(0, 2),
    0xff,
    marker,
    length >> 8,
    length & 255,
    ...content,
    ...jpeg.slice(2),
  );
}

/** EXIF data of a photo that was taken with the phone on its side. */
export const EXIF_ROTATED = Uint8Array.of(
  ...new TextEncoder().encode("Exif\0\0MM\0*"),
  ...[0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0],
);

/** Returns the header of a PNG file that claims a size. */
export function pngHeader(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  bytes.set([8, 6], 24);
  return bytes;
}
