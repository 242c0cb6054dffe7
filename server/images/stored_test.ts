import assert from "node:assert/strict";
import { keys } from "../kv/keys.ts";
import { harness } from "../testing/harness.ts";
import { storeImage } from "./rows.ts";
import { sweepImages } from "./sweep_job.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** As many bytes as an image can have. */
const BYTES = Uint8Array.from({ length: 60 * 1024 }, (_, index) => index * 7 & 255);
const IMAGE = { bytes: BYTES, width: 1200, height: 630 };

Deno.test("a stored image is served under an ID of its content, to be cached permanently and never read as anything else", async () => {
  await using app = await harness();
  const id = await storeImage(app.services, IMAGE);
  assert.match(id, /^[\w-]{22}-1200x630$/);
  const response = await app.fetch(`/cfbe-image/${id}.webp`);
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), BYTES);
  const header = (name: string) => response.headers.get(name);
  assert.equal(header("content-type"), "image/webp");
  assert.equal(header("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(header("x-content-type-options"), "nosniff");
  assert.equal(header("content-security-policy"), "default-src 'none'; sandbox");
  assert.equal(header("cross-origin-resource-policy"), "cross-origin");
});

Deno.test("an image that does not exist is not found, whatever its ID is, and the response is not cached", async () => {
  await using app = await harness();
  for (
    const id of [`${"x".repeat(22)}-1x1`, "x", "..%2f..%2fetc", `${"x".repeat(22)}-1x1.svg`, "constructor"]
  ) {
    const response = await app.fetch(`/cfbe-image/${id}.webp`);
    assert.equal(response.status, 404, id);
    assert.equal(response.headers.get("cache-control"), "no-store");
    await response.body?.cancel();
  }
});

Deno.test("an image is deleted once no saved form has used it for a week", async () => {
  await using app = await harness();
  const { kv, services, clock } = app;
  const ids: string[] = [];
  for (const width of [1, 2, 3]) ids.push(await storeImage(services, { ...IMAGE, width }));
  const [inForm, inDefaults, unused] = ids as [string, string, string];
  const design = (id: string) => ({ image: { id, alt: "", place: "top" as const } });
  await services.settings.save("forms", { forms: [{ name: "footer", design: design(inForm) }] });
  await services.settings.save("form", { design: design(inDefaults) });
  const stored = async () => {
    const found = new Set<string>();
    for await (const { key } of kv.list({ prefix: keys.imageAll() })) found.add(String(key[3]));
    return [...found].sort();
  };
  const sweep = async () =>
    await sweepImages(services).handle({ signal: new AbortController().signal } as never);
  await clock.advance(6 * DAY_MS);
  await sweep();
  assert.deepEqual(await stored(), [...ids].sort());
  // Uploading it again renews its week.
  await storeImage(services, { ...IMAGE, width: 3 });
  await clock.advance(2 * DAY_MS);
  await sweep();
  assert.deepEqual(await stored(), [...ids].sort());
  await clock.advance(6 * DAY_MS);
  await sweep();
  assert.deepEqual(await stored(), ids.filter((id) => id !== unused).sort());
  assert.equal((await app.fetch(`/cfbe-image/${unused}.webp`)).status, 404);
});
