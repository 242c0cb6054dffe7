import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A file in each encoding in which it is sent. It is compressed only once, so at the highest level. */
export interface CompressedFile {
  plain: Uint8Array<ArrayBuffer>;
  br: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer>;
}

/** Compresses a file. */
export async function compress(plain: Uint8Array<ArrayBuffer>): Promise<CompressedFile> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.byteLength,
  };
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params }),
    promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { plain, br: new Uint8Array(br), gzip: new Uint8Array(zipped) };
}

/** Returns the smallest encoding that the client accepts. */
export function bestEncoding(acceptEncoding: string | undefined): "br" | "gzip" | undefined {
  const refused = /;\s*q=0(\.0*)?\s*$/;
  const accepted = (acceptEncoding ?? "").toLowerCase().split(",").filter((part) => !refused.test(part))
    .map((part) => part.split(";")[0]!.trim());
  return (["br", "gzip"] as const).find((name) => accepted.includes(name));
}
