import assert from "node:assert/strict";
import fc from "fast-check";
import { readHeader } from "./header.ts";
import { imageFile, type Kind, pngHeader, withSegment } from "./testing/samples.ts";

for (const kind of ["jpeg", "png", "webp"] satisfies Kind[]) {
  Deno.test(`the size of a ${kind} file is read from its header`, async () => {
    const file = await imageFile(kind, { width: 70, height: 30 });
    assert.deepEqual(readHeader(file), { kind, width: 70, height: 30 });
    // Wherever the file is in a larger buffer.
    const shifted = new Uint8Array([1, 2, 3, ...file]).subarray(3);
    assert.deepEqual(readHeader(shifted), { kind, width: 70, height: 30 });
  });

  Deno.test(`a ${kind} file that ends within its header is no image`, async () => {
    const file = await imageFile(kind);
    for (let length = 0; length < 24; length++) assert.equal(readHeader(file.slice(0, length)), undefined);
  });
}

Deno.test("the size of a WebP file with transparency or other extras is read from its extended header", () => {
  const bytes = new Uint8Array(30);
  bytes.set(new TextEncoder().encode("RIFF----WEBPVP8X"));
  bytes.set([0xaf, 0x04, 0x00, 0x75, 0x02, 0x00], 24);
  assert.deepEqual(readHeader(bytes), { kind: "webp", width: 1200, height: 630 });
});

Deno.test("the frame of a JPEG file is found behind other segments, whatever they contain", async () => {
  // The content looks like a frame of another size.
  const hidden = Uint8Array.of(0xff, 0xc0, 0, 17, 8, 0, 1, 0, 1);
  const file = withSegment(await imageFile("jpeg", { width: 70, height: 30 }), 0xe5, hidden);
  assert.deepEqual(readHeader(file), { kind: "jpeg", width: 70, height: 30 });
});

Deno.test("other files are no images, whatever they begin with", () => {
  for (
    const text of [
      "",
      "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
      "<?xml version='1.0'?><svg/>",
      "GIF89a\x01\x00\x01\x00",
      "RIFF\0\0\0\0AVI LIST",
      "\xff\xd8\xff\xd9",
      "%PDF-1.7",
    ]
  ) assert.equal(readHeader(Uint8Array.from(text, (c) => c.charCodeAt(0))), undefined, text);
  assert.equal(readHeader(pngHeader(0, 10)), undefined);
});

Deno.test("any bytes after the signature of an image are read without an error, and in bounded time", () => {
  const signatures = [[0xff, 0xd8], [...pngHeader(1, 1).slice(0, 8)], [
    ...new TextEncoder().encode("RIFF....WEBP"),
  ]];
  fc.assert(
    fc.property(fc.constantFrom(...signatures), fc.uint8Array({ maxLength: 200 }), (signature, rest) => {
      readHeader(Uint8Array.of(...signature, ...rest));
    }),
  );
});
