import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { bestEncoding, compress, scriptCompressor } from "./compression.ts";

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

Deno.test("a script is compressed quickly at first, and in full for later requests, without a change of its content", async () => {
  const plain = await Deno.readFile(new URL("../../../shared/texts/de.ts", import.meta.url));
  const compressed = scriptCompressor();
  const first = { ...await compressed("a", () => plain) };
  const later = async () => {
    const full = await compress(plain);
    for (;;) {
      const file = await compressed("a", () => plain);
      if (file.br.length === full.br.length) return file;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const best = await later();
  assert.ok(best.br.length < first.br.length);
  for (const { br, gzip } of [first, best]) {
    assert.deepEqual(new Uint8Array(brotliDecompressSync(br)), plain);
    assert.deepEqual(new Uint8Array(gunzipSync(gzip)), plain);
  }
});

Deno.test("asking for many scripts again and again compresses one of them in full, and the next only after a rest", async () => {
  let time = 0;
  const compressed = scriptCompressor(() => time);
  const scripts = await Promise.all(["de", "fr", "es"].map(async (locale) => {
    const plain = await Deno.readFile(new URL(`../../../shared/texts/${locale}.ts`, import.meta.url));
    return { locale, plain, full: (await compress(plain)).br.length };
  }));
  const inFull = async () => {
    const files = await Promise.all(scripts.map(({ locale, plain }) => compressed(locale, () => plain)));
    return files.filter(({ br }, index) => br.length === scripts[index]!.full).length;
  };
  const settled = async (expected: number) => {
    while (await inFull() < expected) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  assert.equal(await inFull(), 0, "the first request begins nothing");
  const begun = inFull();
  time += 100;
  await begun;
  await settled(1);
  for (let again = 0; again < 5; again++) await inFull();
  time += 1_999;
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(await inFull(), 1);
  time += 1;
  await settled(2);
});

Deno.test("scripts that are asked for once are forgotten, and not all of them are compressed in full", async () => {
  const compressed = scriptCompressor();
  const of = (index: number) => new TextEncoder().encode(`${index} `.repeat(200));
  const kept = await compressed("0", () => of(0));
  for (let index = 1; index < 99; index++) await compressed(String(index), () => of(index));
  assert.equal(await compressed("0", () => of(0)), kept);
  for (let index = 100; index < 199; index++) await compressed(String(index), () => of(index));
  assert.equal(await compressed("0", () => of(0)), kept);
  for (let index = 200; index < 300; index++) await compressed(String(index), () => of(index));
  assert.notEqual(await compressed("0", () => of(0)), kept);
});

Deno.test("a script that is kept is not made again", async () => {
  const compressed = scriptCompressor();
  let made = 0;
  const make = () => {
    made++;
    return new TextEncoder().encode("const a = 1;");
  };
  await compressed("a", make);
  await compressed("a", make);
  assert.equal(made, 1);
});
