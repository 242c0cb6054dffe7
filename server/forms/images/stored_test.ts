import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import { listing } from "../../platform/kv/listing.ts";
import type { AtomicOperation, Kv } from "../../platform/kv/port.ts";
import { wrap } from "../../platform/kv/wrap.ts";
import { type Harness, harness } from "../../../dev/testing/harness.ts";
import { POPUP } from "../../settings/forms/all_forms.ts";
import { formDraftKey, formsWithDraft } from "../../settings/forms/form_drafts.ts";
import { readImage, renewImage, storeImage } from "./rows.ts";
import { sweepImages } from "./sweep_job.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** As many bytes as an image can have. */
const BYTES = Uint8Array.from({ length: 60 * 1024 }, (_, index) => index * 7 & 255);
const sweep = ({ services }: { services: Parameters<typeof sweepImages>[0] }) =>
  sweepImages(services).handle({ signal: new AbortController().signal } as never);

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
  await clock.advance(6 * DAY_MS);
  await sweep(app);
  assert.deepEqual(await stored(), [...ids].sort());
  // Uploading it again renews its week.
  await storeImage(services, { ...IMAGE, width: 3 });
  await clock.advance(2 * DAY_MS);
  await sweep(app);
  assert.deepEqual(await stored(), [...ids].sort());
  await clock.advance(6 * DAY_MS);
  await sweep(app);
  assert.deepEqual(await stored(), ids.filter((id) => id !== unused).sort());
  assert.equal((await app.fetch(`/cfbe-image/${unused}.webp`)).status, 404);
});

Deno.test("an image stays while only a draft uses it, and is deleted once the draft is discarded", async () => {
  await using app = await harness();
  const { kv, services, clock } = app;
  await services.settings.save("forms", { forms: [{ name: "footer" }] });
  const ids: string[] = [];
  for (const width of [1, 2, 3]) ids.push(await storeImage(services, { ...IMAGE, width }));
  const [ofForm, ofPopup, ofVariant] = ids as [string, string, string];
  const image = (id: string) => ({ id, alt: "", place: "top" as const });
  const draft = (id: string) => ({ v: 1 as const, values: {}, image: image(id), by: "ann", at: clock.now() });
  await kv.set(formDraftKey({ name: "footer" }), draft(ofForm));
  await kv.set(formDraftKey({ name: POPUP }), draft(ofPopup));
  const variants = [{ id: "a", name: "A" }, {
    id: "b",
    name: "B",
    overrides: { design: { image: image(ofVariant) } },
  }];
  await services.settings.save("popup", { experiment: { id: "x1", variants } });
  const isStored = async () =>
    await Promise.all(ids.map(async (id) => await readImage(kv, id) !== undefined));
  await clock.advance(30 * DAY_MS);
  await sweep(app);
  assert.deepEqual(await isStored(), [true, true, true]);
  await kv.delete(formDraftKey({ name: "footer" }));
  await sweep(app);
  assert.deepEqual(await isStored(), [false, true, true]);
});

/** Runs the job, and something else before its n-th read of settings and drafts. @returns whether there was one */
async function sweepWith(
  { services }: Harness,
  during: number,
  act: () => Promise<unknown>,
): Promise<boolean> {
  const { kv, clock, settings } = services;
  let reads = 0;
  const step = async () => void (++reads === during && await act());
  const reading = wrap(kv, {
    ...listing(async (...args) => (await step(), await kv.page(...args))),
    get: async (...args: Parameters<Kv["get"]>) => (await step(), await kv.get(...args)),
    getMany: async (...args: Parameters<Kv["getMany"]>) => (await step(), await kv.getMany(...args)),
  });
  const refresh = async () => {
    await step();
    await settings.refresh();
  };
  await sweep({ services: { kv: reading, clock, settings: { current: settings.current, refresh } } });
  return reads >= during;
}

Deno.test("an image stays that moves to a draft or is published while the job reads what is used", async () => {
  const popupKey = keys.settings("popup");
  const draftKey = formDraftKey({ name: POPUP });
  for (const published of [false, true]) {
    for (let during = 1, wasRead = true; wasRead; during++) {
      await using app = await harness();
      const { kv, services, clock } = app;
      const image = { id: await storeImage(services, IMAGE), alt: "", place: "top" as const };
      const put = (tx: AtomicOperation, inDraft: boolean) => {
        tx.set(popupKey, { v: 1, fields: { heading: "Old", ...(!inDraft && { design: { image } }) } });
        if (inDraft) tx.set(draftKey, { v: 1, values: {}, image, by: "ann", at: clock.now() });
        else tx.delete(draftKey);
        return tx.commit();
      };
      await put(kv.atomic(), published);
      await services.settings.refresh();
      await clock.advance(30 * DAY_MS);
      // By another process, so that only the job's own reads show it.
      wasRead = await sweepWith(app, during, () => put(kv.atomic(), !published));
      assert.ok(await readImage(kv, image.id), `read ${during}`);
    }
  }
});

Deno.test("the draft of a form that is gone is deleted after a week, and with it what only it refers to", async () => {
  await using app = await harness();
  const { kv, services, clock } = app;
  const id = await storeImage(services, IMAGE);
  const image = { id, alt: "", place: "top" as const };
  for (const name of ["footer", "gone"]) {
    await kv.set(formDraftKey({ name }), { v: 1, values: {}, image, by: "ann", at: clock.now() });
  }
  await services.settings.save("forms", { forms: [{ name: "footer" }] });
  const left = async () => [...await formsWithDraft(kv)];
  await clock.advance(6 * DAY_MS);
  await sweep(app);
  assert.deepEqual(await left(), ["footer", "gone"]);
  await clock.advance(2 * DAY_MS);
  await sweep(app);
  assert.deepEqual(await left(), ["footer"]);
  await kv.delete(formDraftKey({ name: "footer" }));
  await sweep(app);
  assert.equal(await readImage(kv, id), undefined);
});

Deno.test("an image that a form is imported with stays for another week", async () => {
  await using app = await harness();
  const { kv, services, clock } = app;
  const id = await storeImage(services, IMAGE);
  await clock.advance(8 * DAY_MS);
  assert.equal(await renewImage(services, id), true);
  await sweep(app);
  assert.ok(await readImage(kv, id));
  assert.equal(await renewImage(services, `${"x".repeat(22)}-1x1`), false);
  await clock.advance(8 * DAY_MS);
  await sweep(app);
  assert.equal(await renewImage(services, id), false);
});

Deno.test("an image stays that only saved settings use which the config file overrides, however many they are", async () => {
  await using app = await harness({ settings: { popup: { heading: "Fixed" }, forms: { forms: [] } } });
  const { kv, services, clock } = app;
  const image = { id: await storeImage(services, IMAGE), alt: "", place: "top" as const };
  const forms = Array.from({ length: 60 }, (_, index) => ({
    name: `form-${index}`,
    heading: `Heading ${index} `.repeat(12).trim(),
    text: `Text ${index} `.repeat(60).trim(),
    design: { image },
  }));
  await services.settings.save("forms", { forms });
  assert.ok((await Array.fromAsync(kv.list({ prefix: keys.family("settings") }))).length > 1, "in parts");
  assert.deepEqual(services.settings.current().forms.forms, []);
  await clock.advance(30 * DAY_MS);
  await sweep(app);
  assert.ok(await readImage(kv, image.id));
});

Deno.test("a draft stays while the config file has other forms than the saved settings", async () => {
  await using app = await harness({ settings: { forms: { forms: [{ name: "other" }] } } });
  const { kv, services, clock } = app;
  await services.settings.save("forms", { forms: [{ name: "footer" }] });
  const draft = { v: 1 as const, values: { heading: "New" }, by: "ann", at: clock.now() };
  for (const name of ["footer", "other", "gone"]) await kv.set(formDraftKey({ name }), draft);
  await clock.advance(30 * DAY_MS);
  await sweep(app);
  assert.deepEqual([...await formsWithDraft(kv)], ["footer", "other"]);
});
