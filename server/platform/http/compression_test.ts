import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { bestEncoding, compress } from "./compression.ts";

Deno.test("the smallest accepted encoding is chosen", () => {
  assert.equal(bestEncoding("gzip, deflate, br, zstd"), "br");
  assert.equal(bestEncoding("gzip;q=0.8"), "gzip");
  assert.equal(bestEncoding("br;q=0, gzip"), "gzip");
  assert.equal(bestEncoding("identity"), undefined);
  assert.equal(bestEncoding(undefined), undefined);
});

Deno.test("every encoding decodes to the same bytes", async () => {
  const plain = new TextEncoder().encode("const a = 1;\n".repeat(500));
  const { br, gzip } = await compress(plain);
  assert.deepEqual(new Uint8Array(brotliDecompressSync(br)), plain);
  assert.deepEqual(new Uint8Array(gunzipSync(gzip)), plain);
});
