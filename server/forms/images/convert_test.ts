import assert from "node:assert/strict";
import { BadImage, convertImage, MAX_FILE_BYTES } from "./convert.ts";
import { MAX_IMAGE_BYTES } from "./encode_small.ts";
import { readHeader } from "./header.ts";
import { cmykFile, EXIF_ROTATED, imageFile, type Kind, pngHeader, withSegment } from "./testing/samples.ts";

const text = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);

for (const kind of ["jpeg", "png", "webp"] satisfies Kind[]) {
  Deno.test(`a ${kind} file becomes a WebP image of the same size`, async () => {
    const { bytes, width, height } = await convertImage(await imageFile(kind));
    assert.deepEqual(readHeader(bytes), { kind: "webp", width: 64, height: 32 });
    assert.deepEqual([width, height], [64, 32]);
  });
}

Deno.test("an image that is hard to compress is reduced until it has at most 60 KB", async () => {
  const { bytes, width, height } = await convertImage(
    await imageFile("jpeg", { width: 1600, height: 800, noise: true }),
    // The slowest image of these tests, which a busy machine encodes several times.
    { maxSeconds: 60 },
  );
  assert.ok(bytes.length <= MAX_IMAGE_BYTES, `${bytes.length} bytes`);
  assert.ok(width < 1280);
  assert.equal(width, 2 * height);
});

Deno.test("metadata, and anything else that is hidden in a file, does not survive", async () => {
  const secret = "52.5200 N, 13.4050 E <script>alert(1)</script>";
  const jpeg = withSegment(await imageFile("jpeg"), 0xfe, new TextEncoder().encode(secret));
  const polyglot = Uint8Array.of(...jpeg, ...new TextEncoder().encode(`PK\x03\x04${secret}`));
  assert.match(text(polyglot), /13\.4050.*13\.4050/s);
  const { bytes } = await convertImage(polyglot);
  assert.doesNotMatch(text(bytes), /13\.4050|script/);
});

Deno.test("a photo taken with the phone on its side is turned upright", async () => {
  const { width, height } = await convertImage(withSegment(await imageFile("jpeg"), 0xe1, EXIF_ROTATED));
  assert.deepEqual([width, height], [32, 64]);
});

const refused = async (file: Uint8Array, message: RegExp, options = {}) =>
  await assert.rejects(convertImage(file, options), (error) => {
    assert.ok(error instanceof BadImage);
    assert.match(error.message, message);
    return true;
  });

Deno.test("an image with too many pixels is refused before it is decoded", async () => {
  // Compressed, such an image has a few kilobytes. Decoded, it would need 14 GB.
  await refused(pngHeader(60_000, 60_000), /60000 × 60000 pixels/);
});

Deno.test("a file that is too large, no image or damaged is refused with the reason", async () => {
  await refused(new Uint8Array(MAX_FILE_BYTES + 1), /larger than 6 MB/);
  await refused(new TextEncoder().encode("<svg onload='alert(1)'/>"), /not a JPEG, PNG or WebP/);
  await refused(pngHeader(10, 10), /cannot be read/);
  const png = await imageFile("png", { width: 200, height: 200, noise: true });
  await refused(png.slice(0, png.length / 2), /cannot be read/);
});

Deno.test("a JPEG file with the colors of a printer is refused, and the reason says to save it as RGB", async () => {
  assert.deepEqual(readHeader(cmykFile()), { kind: "jpeg", width: 16, height: 16, isCmyk: true });
  await refused(cmykFile(), /for print \(CMYK\)\. Save it as RGB/);
});

Deno.test("a conversion that takes too long is ended, and the next one works", async () => {
  await refused(await imageFile("png"), /took too long/, { maxSeconds: 0 });
  assert.equal((await convertImage(await imageFile("png"))).width, 64);
});
