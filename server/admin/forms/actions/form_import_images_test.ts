import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Experiment } from "../../../settings/schema/experiment_schema.ts";
import { convertImage } from "../../../forms/images/convert.ts";
import { readImage, storeImage } from "../../../forms/images/rows.ts";
import { sweepImages } from "../../../forms/images/sweep_job.ts";
import { imageFile } from "../../../forms/images/testing/samples.ts";
import { keys } from "../../../platform/kv/keys.ts";
import { imagesOf } from "../../../settings/forms/form_document.ts";
import { tabKey, type TabRow } from "../../../settings/store/tab_rows.ts";
import { fullForms } from "../../../settings/store/testing/full_forms.ts";
import { type AdminHarness, adminHarness } from "../../../../dev/testing/admin_harness.ts";

/** The images and the experiment of a form in its exported file. */

type Document = Record<string, unknown> & {
  form: Record<string, unknown> & { design: object; experiment?: { variants: unknown[] } };
  images: Record<string, string>;
};

async function installation() {
  const app = await adminHarness({ settings: {} });
  const admin = await app.signIn();
  return {
    app,
    exported: async () => JSON.parse((await admin.page("/forms/footer.json")).html) as Document,
    own: (name = "footer") => app.services.settings.current().forms.forms.find((form) => form.name === name)!,
    /** Submits the form of the Forms page, as a browser does. */
    async send(document: unknown, name = "") {
      const action = "cfbe_import_form";
      const body = new FormData();
      const text = typeof document === "string" ? document : JSON.stringify(document);
      const fields = { action, _page: "/new-form?from=file", document: text, name };
      for (const [field, value] of Object.entries(fields)) body.append(field, value);
      const headers = { cookie: admin.cookie, accept: "application/json" };
      const response = await app.fetch(admin.actionUrl(action, { path: "/upload" }), {
        method: "POST",
        body,
        headers,
      });
      const json = await response.json() as { message: string; fields?: Record<string, string> };
      return { status: response.status, message: json.message, reasons: Object.values(json.fields ?? {}) };
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

const place = "top" as const;
const upload = async (app: AdminHarness, width: number) =>
  await storeImage(app.services, await convertImage(await imageFile("png", { width, height: 20 })));

/** An installation with a form that has an image, and another one in a variant of a running experiment. */
async function complete() {
  const from = await installation();
  const [id, other] = [await upload(from.app, 40), await upload(from.app, 50)];
  const experiment: Experiment = {
    id: "running1",
    state: "running",
    startedAt: 1,
    variants: [
      { id: "a", name: "As it is", weight: 2, overrides: {} },
      {
        id: "b",
        name: "Other",
        weight: 3,
        overrides: {
          heading: "Hi",
          locales: { de: { heading: "Hallo" } },
          successUrl: "/offer",
          design: { accent: "#c00000", image: { id: other, alt: "Coffee", place } },
        },
      },
    ],
  };
  const design = { radius: "none" as const, image: { id, alt: "Tea", place } };
  await from.app.services.settings.save("forms", {
    forms: [{ name: "footer", heading: "News", design, experiment }],
  });
  from.app.services.experimentCounts.count("running1/a", "seen");
  return { ...from, id, other, [Symbol.asyncDispose]: () => from.app[Symbol.asyncDispose]() };
}

async function imagesIn({ kv }: AdminHarness): Promise<number> {
  return (await Array.fromAsync(kv.list({ prefix: keys.imageAll() }))).length;
}

Deno.test("another installation gets the same form from the file, with its images and an experiment that has not started", async () => {
  await using from = await complete();
  await using to = await installation();
  const document = await from.exported();
  assert.deepEqual(Object.keys(document.images).toSorted(), [from.id, from.other].toSorted());
  assert.deepEqual(Object.keys(document.form.experiment!), ["variants"], "no counts, state or ID");
  const { status, message } = await to.send(document);
  assert.deepEqual([status, message], [200, "footer was added as a draft."]);

  const { design, experiment, status: imported, ...rest } = to.own();
  assert.deepEqual([imported, experiment!.state, experiment!.startedAt], ["draft", "draft", undefined]);
  assert.notEqual(experiment!.id, "running1");
  const original = from.own();
  const withoutIds = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll(/"[\w-]{22}(-\d+x\d+)"/g, '"$1"'));
  assert.deepEqual(withoutIds(design), withoutIds(original.design));
  assert.deepEqual(withoutIds(experiment!.variants), withoutIds(original.experiment!.variants));
  const { design: _, experiment: __, status: ___, ...before } = original;
  assert.deepEqual(rest, before);
  for (const { image } of [design!, experiment!.variants[1]!.overrides.design!]) {
    assert.ok(typeof image === "object" && await readImage(to.app.kv, image.id));
  }
  assert.deepEqual(withoutIds(await to.exported()).form, withoutIds(document).form);
});

Deno.test("a copy of a form, and one imported where its images are, has the same images and its experiment as a draft", async () => {
  await using from = await complete();
  const images = await imagesIn(from.app);
  const { status } = await from.send(await from.exported(), "again");
  assert.equal(status, 200);
  const { design, experiment } = from.own("again");
  assert.deepEqual(design, from.own().design);
  assert.deepEqual([experiment!.state, experiment!.variants], ["draft", from.own().experiment!.variants]);
  assert.equal(await imagesIn(from.app), images);
});

Deno.test("a variant that is imported without its image has nothing to describe, and is the same as the form if only that differed", async () => {
  await using to = await installation();
  const image = { id: `${"x".repeat(22)}-40x30`, alt: "", place };
  const other = { id: "b", name: "Other", undescribed: true, overrides: { design: { image } } };
  const variants = [{ id: "a", name: "As it is" }, other];
  const document = {
    cfbe: "form",
    v: 1,
    form: { name: "footer", design: { image }, experiment: { variants } },
  };
  assert.match((await to.send(document)).message, /Its image is not in the file: upload it again/);
  const { design, experiment } = to.own();
  assert.equal(design, undefined);
  assert.deepEqual(experiment!.variants[1], { id: "b", name: "Other", weight: 1, overrides: {} });
  const admin = await to.app.signIn();
  const started = await admin.send("cfbe_start_experiment", { form: "footer" }, {
    accept: "application/json",
  });
  assert.match(await started.text(), /Two variants are the same/);
});

Deno.test("a form with unpublished changes is exported as it is published, and its link says so", async () => {
  await using from = await complete();
  const admin = await from.app.signIn();
  await admin.send("cfbe_edit_form", { form: "footer", "fields.heading": "Unpublished", "b:draft": "true" });
  assert.equal((await from.exported()).form["heading"], "News");
  assert.match(
    (await admin.page("/forms")).html,
    /footer\.json" download="footer\.json">Export published form</,
  );
});

/** Returns the first bytes of a PNG file that says to have this size. */
function pngOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(64);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

const base64 = (content: string | Uint8Array) => Buffer.from(content as string).toString("base64");
const DAMAGED = /cannot be read/;
const NO_IMAGE = /not a JPEG, PNG or WebP image/;

const HOSTILE: Record<string, [base64: () => string | Promise<string>, reason: RegExp]> = {
  "an SVG with a script": [
    () => base64("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
    NO_IMAGE,
  ],
  "a GIF": [() => base64("GIF89a" + "x".repeat(100)), NO_IMAGE],
  "HTML": [() => base64("<!doctype html><script>alert(1)</script>"), NO_IMAGE],
  "nothing": [() => "", NO_IMAGE],
  "a damaged file": [() => base64(pngOf(40, 20)), DAMAGED],
  "too many pixels": [() => base64(pngOf(9_000, 9_000)), /9000 × 9000 pixels\. Reduce it/],
  "more than 60 KB": [() => base64(new Uint8Array(62_000)), /must have at most 60 KB/i],
  "no Base64": [() => "<script>", /must be a file in Base64/i],
};

Deno.test("a file with a hostile image is refused with its reason, and changes nothing", async (t) => {
  await using from = await complete();
  await using to = await installation();
  const document = await from.exported();
  for (const [what, [content, reason]] of Object.entries(HOSTILE)) {
    await t.step(what, async () => {
      const images = { ...document.images, [from.id]: await content() };
      const { status, reasons } = await to.send({ ...document, images });
      assert.equal(status, 422);
      assert.equal(reasons.length, 1);
      assert.ok(reasons[0]!.startsWith(`images.${from.id}: `), reasons[0]);
      assert.match(reasons[0]!, reason);
      assert.equal(to.own(), undefined);
      assert.equal(await imagesIn(to.app), 0, "not even the other image, which is fine");
    });
  }
});

Deno.test("the problems of images and of everything else are listed at once", async () => {
  await using from = await complete();
  await using to = await installation();
  const { form, images, ...document } = await from.exported();
  const hostile = {
    ...document,
    form: { ...form, button: "x".repeat(61) },
    images: { ...images, [from.id]: base64("<svg/>") },
  };
  const { reasons } = await to.send(hostile);
  assert.equal(reasons.length, 2, reasons.join());
  assert.match(reasons.toSorted().join("\n"), /^form\.button: [^]*^images\..*not a JPEG/m);
});

Deno.test("images that the form does not show, under names that are no IDs, or too many are refused", async () => {
  await using from = await complete();
  await using to = await installation();
  const document = await from.exported();
  const [content] = Object.values(document.images);
  const unused = `${"x".repeat(22)}-40x20`;
  const refusedFor = async (images: Record<string, string>) =>
    (await to.send({ ...document, images: { ...document.images, ...images } })).reasons.join("\n");
  assert.match(await refusedFor({ [unused]: content! }), /images\..*: Must be an image that the form shows/);
  assert.match(
    await refusedFor({ "../../etc/passwd": content! }),
    /^images\..*passwd: Must be the ID of an image/,
  );
  const many = Array.from({ length: 7 }, (_, n) => [`${"x".repeat(21)}${n}-1x1`, content!]);
  assert.match(await refusedFor(Object.fromEntries(many)), /images: Must have at most 6 images/);
  assert.equal(await imagesIn(to.app), 0);
});

Deno.test("a hostile experiment is refused with every reason", async () => {
  await using from = await complete();
  await using to = await installation();
  const { form, ...document } = await from.exported();
  const [a, b] = form.experiment!.variants as [Record<string, unknown>, Record<string, unknown>];
  const variants = [a, {
    ...b,
    weight: -1,
    hidden: true,
    overrides: {
      heading: "<script>alert(1)</script>",
      successUrl: "javascript:alert(1)",
      design: { accent: "red}" },
    },
  }];
  const { reasons } = await to.send({
    ...document,
    form: { ...form, experiment: { variants, state: "running" } },
  });
  const at = "form.experiment";
  for (
    const start of [
      `${at}: Unknown setting: state`,
      `${at}.variants.1.weight: `,
      `${at}.variants.1.overrides.heading: Must not contain HTML`,
      `${at}.variants.1.overrides.successUrl: `,
      `${at}.variants.1.overrides.design.accent: `,
    ]
  ) {
    assert.ok(reasons.some((reason) => reason.startsWith(start)), `${start}\n${reasons.join("\n")}`);
  }
  assert.equal(to.own(), undefined);
});

Deno.test("a form with six images as large as can be is imported where forms and their texts fill their space", async () => {
  await using to = await installation();
  const { settings, kv } = to.app.services;
  await settings.save("forms", { forms: fullForms() });
  await settings.save("form", { locales: { de: { texts: {}, forms: fullForms() } } });
  for (const tab of ["forms", "form"] as const) {
    assert.equal((await kv.get<TabRow>(tabKey(tab))).value!.parts?.count, 4, `${tab} is as large as can be`);
  }

  const images: Record<string, string> = {};
  for (let n = 0; n < 6; n++) {
    const file = await imageFile("webp", { width: 270 + n, height: 280, noise: true });
    images[`${"x".repeat(21)}${n}-${270 + n}x280`] = base64(file);
  }
  const [own, ...others] = Object.keys(images).map((id) => ({ image: { id, alt: "Tea", place } }));
  const variants = others.map((design, n) => ({ id: `v${n}`, name: `${n}`, overrides: { design } }));
  const { status, message } = await to.send({
    cfbe: "form",
    v: 1,
    form: { name: "footer", design: own, experiment: { variants } },
    texts: { de: { heading: "Hallo" } },
    images,
  });
  assert.deepEqual([status, message], [200, "footer was added as a draft."]);
  const shown = imagesOf(to.own());
  assert.equal(shown.length, 6);
  for (const id of shown) assert.ok((await readImage(kv, id))!.length > 48_000);
});

Deno.test("an import that fails after its images are stored leaves nothing but these, and they go after a week", async () => {
  await using from = await complete();
  await using to = await installation();
  const { settings, kv, clock } = to.app.services;
  await settings.save("forms", { forms: [{ name: "footer" }] });
  const { status } = await to.send(await from.exported());
  assert.equal(status, 422, "there is a form of this name");
  assert.ok(await imagesIn(to.app) > 0);
  await to.app.clock.advance(8 * 24 * 60 * 60 * 1000);
  await sweepImages({ kv, clock, settings }).handle({ signal: new AbortController().signal } as never);
  assert.equal(await imagesIn(to.app), 0);
  assert.deepEqual(settings.current().forms.forms.map(({ name }) => name), ["footer"]);
});

Deno.test("a file with 20,000 fields is refused, although one with images may be larger", async () => {
  await using from = await complete();
  await using to = await installation();
  const { form, ...document } = await from.exported();
  const fields = Array.from({ length: 20_000 }, (_, n) => ({ name: `f${n}`, kind: "text" }));
  const large = await to.send({ ...document, form: { ...form, fields } });
  assert.deepEqual(large.reasons, ["Must have at most 256 KB without its images."]);
  const huge = await to.send({ ...document, form: { ...form, fields: [...fields, ...fields] } });
  assert.deepEqual(huge.reasons, ["Must have at most 736 KB."]);
  assert.equal(to.own(), undefined);
});
