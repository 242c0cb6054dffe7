import type { ImageSize } from "../../../shared/design/image_id.ts";

/** What the first bytes of an image file say. */
export interface ImageHeader extends ImageSize {
  kind: "jpeg" | "png" | "webp";
  /** Whether its colors are those of a printer, in four inks, which only JPEG files have. */
  isCmyk?: true;
}

/**
 * Reads kind and size of a JPEG, PNG or WebP file without decoding it, so that an image which would need too much memory
 * is refused before. Returns undefined for any other file, whatever its name says.
 */
export function readHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const header = readPng(view) ?? readWebp(view) ?? readJpeg(view);
    return header && header.width > 0 && header.height > 0 ? header : undefined;
  } catch (error) {
    // The file ends within its header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const PNG_SIGNATURE = [0x89504e47, 0x0d0a1a0a] as const;

function readPng(view: DataView): ImageHeader | undefined {
  if (view.getUint32(0) !== PNG_SIGNATURE[0] || view.getUint32(4) !== PNG_SIGNATURE[1]) return undefined;
  if (textAt(view, 12) !== "IHDR") return undefined;
  return { kind: "png", width: view.getUint32(16), height: view.getUint32(20) };
}

function readWebp(view: DataView): ImageHeader | undefined {
  if (textAt(view, 0) !== "RIFF" || textAt(view, 8) !== "WEBP") return undefined;
  const uint24 = (at: number) => view.getUint16(at, true) | view.getUint8(at + 2) << 16;
  switch (textAt(view, 12)) {
    case "VP8 ":
      return {
        kind: "webp",
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { kind: "webp", width: (bits & 0x3fff) + 1, height: (bits >>> 14 & 0x3fff) + 1 };
    }
    case "VP8X":
      return { kind: "webp", width: uint24(24) + 1, height: uint24(27) + 1 };
    default:
      return undefined;
  }
}

/** Skips to the first frame header of a JPEG file, segment by segment. */
function readJpeg(view: DataView): ImageHeader | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2;;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // 0xff may be repeated as padding.
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const isCmyk = view.getUint8(at + 9) === 4;
      const size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
      return { kind: "jpeg", ...size, ...(isCmyk && { isCmyk }) };
    }
    // Image data comes only after a frame header.
    if (marker === 0xda || marker === 0xd9) return undefined;
    at += 2 + Math.max(view.getUint16(at + 2), 2);
  }
}

function textAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
}
