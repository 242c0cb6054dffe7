import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readHeader } from "../../../forms/images/header.ts";
import { sweepImages } from "../../../forms/images/sweep_job.ts";
import { imageFile } from "../../../forms/images/testing/samples.ts";
import { adminHarness, type SignedIn } from "../../../../dev/testing/admin_harness.ts";

const FORM = "/form-settings?form=footer";

async function start() {
  const app = await adminHarness();
  await app.services.settings.save("forms", { forms: [{ name: "footer", design: { radius: "none" } }] });
  const admin = await app.signIn();
  return Object.assign(app, {
    user: admin,
    own: () => app.services.settings.current().forms.forms[0]!.design,
    /** Submits the form with the image, as a browser does. */
    async upload(fields: Record<string, string | Uint8Array<ArrayBuffer>>, user: SignedIn = admin) {
      const action = "cfbe_save_form_image";
      const body = new FormData();
      const all = {
        action,
        _page: FORM,
        of: "form",
        form: "footer",
        place: "left",
        ...fields,
      };
      for (const [name, value] of Object.entries(all)) {
        if (typeof value === "string") body.append(name, value);
        else body.append(name, new Blob([value]), "photo.jpg");
      }
      const url = user.actionUrl(action, { path: "/upload", nonce: fields["_nonce"] as string | undefined });
      return await app.fetch(url, { method: "POST", body, headers: { cookie: user.cookie } });
    },
  });
}

Deno.test("an uploaded image is converted, shown and described, and the rest of the design stays", async () => {
  await using app = await start();
  const file = await imageFile("jpeg", { width: 200, height: 100 });
  assert.equal((await app.upload({ file, alt: "A loaf" })).status, 303);
  const { image, ...others } = app.own()!;
  assert.deepEqual(others, { radius: "none" });
  assert.ok(typeof image === "object");
  assert.deepEqual({ ...image, id: image.id.slice(22) }, { id: "-200x100", alt: "A loaf", place: "left" });
  const { html } = await app.user.page(FORM);
  const src = new RegExp(`<img src="http://localhost:8000(/cfbe-image/${image.id}\\.webp)" alt="A loaf"`)
    .exec(html)![1]!;
  const served = new Uint8Array(await (await app.fetch(src)).arrayBuffer());
  assert.deepEqual(readHeader(served), { kind: "webp", width: 200, height: 100 });

  // Without a file, the description and the place of the image change.
  await app.upload({ file: new Uint8Array(), alt: "", "b:decorative": "true", place: "top" });
  assert.deepEqual(app.own()?.image, { id: image.id, alt: "", place: "top" });
});

Deno.test("a missing file and a missing description are reported at once, and nothing is saved", async () => {
  await using app = await start();
  const response = await app.upload({ file: new Uint8Array(), alt: "" });
  assert.equal(response.status, 422);
  const html = await response.text();
  assert.match(html, /id="save_form_image-file-error">Choose an image file\./);
  assert.match(
    html,
    /id="save_form_image-alt-error">Describe the image for people who don(?:'|&#39;)t see it/,
  );
  // The settings beside it are not marked as changed: the browser would ask before it sends the image again.
  assert.match(html, /<span data-unsaved[^>]* hidden/);
  assert.deepEqual(app.own(), { radius: "none" });
});

Deno.test("files that are no usable images are refused with the reason beside the field", async () => {
  await using app = await start();
  const refusals: [file: Uint8Array<ArrayBuffer>, message: RegExp][] = [
    [
      new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
      /not a JPEG, PNG or WebP/,
    ],
    [(await imageFile("png", { noise: true })).slice(0, 300), /cannot be read/],
  ];
  for (const [file, message] of refusals) {
    const response = await app.upload({ file, alt: "A loaf" });
    assert.equal(response.status, 422);
    const html = await response.text();
    assert.match(html, message);
    assert.doesNotMatch(html, /onload/);
  }
  const tooLarge = await app.upload({ file: new Uint8Array(10 * 1024 * 1024), alt: "A loaf" });
  assert.equal(tooLarge.status, 413);
  await tooLarge.body?.cancel();
  assert.deepEqual(app.own(), { radius: "none" });
});

Deno.test("only users who may change settings upload images, with a valid nonce", async () => {
  await using app = await start();
  const file = await imageFile("png");
  const viewer = await app.signIn("viewer");
  assert.equal((await app.upload({ file, alt: "A loaf" }, viewer)).status, 403);
  assert.equal((await app.upload({ file, alt: "A loaf", _nonce: "forged" })).status, 403);
  const anonymous = { ...app.user, cookie: "" };
  assert.equal((await app.upload({ file, alt: "A loaf" }, anonymous)).status, 401);
  assert.deepEqual(app.own(), { radius: "none" });
});

Deno.test("a removed image is inherited only if the user wants it", async () => {
  await using app = await start();
  const file = await imageFile("png");
  const user = app.user;
  const remove = (fields: Record<string, string> = {}) =>
    user.send("cfbe_remove_form_image", { _page: FORM, of: "form", form: "footer", ...fields });
  await app.upload({ file, alt: "A loaf" });
  await remove();
  assert.deepEqual(app.own(), { radius: "none" });

  await app.upload({ of: "defaults", file, alt: "A loaf" });
  assert.equal((app.services.settings.current().form.design.image as { alt: string }).alt, "A loaf");
  assert.match((await user.page(FORM)).html, /The image of the defaults\..*Show no image/s);
  await remove();
  assert.deepEqual(app.own(), { radius: "none", image: "none" });
  assert.match((await user.page(FORM)).html, /Show the default image/);
  await remove({ "b:inherit": "true" });
  assert.deepEqual(app.own(), { radius: "none" });
});

Deno.test("a script uploads an image in Base64, also for the popup", async () => {
  await using app = await start();
  const file = Buffer.from(await imageFile("webp")).toString("base64");
  const response = await app.fetch("/admin/upload", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer the-api-token-of-tests" },
    body: JSON.stringify({
      action: "cfbe_save_form_image",
      of: "popup",
      file,
      alt: "A loaf",
      place: "background",
    }),
  });
  assert.deepEqual(await response.json(), { ok: true, message: "Image saved." });
  assert.equal(
    (app.services.settings.current().popup.design?.image as { place: string }).place,
    "background",
  );
});

Deno.test("an image that was removed is brought back by its ID, without its file, and an unknown ID is refused", async () => {
  await using app = await start();
  const file = await imageFile("jpeg", { width: 200, height: 100 });
  await app.upload({ file, alt: "A loaf" });
  const { image } = app.own()!;
  assert.ok(typeof image === "object");
  await app.user.send("cfbe_remove_form_image", { _page: FORM, of: "form", form: "footer" });
  assert.equal(app.own()?.image, undefined);
  await app.upload({ id: image.id, alt: "A loaf" });
  assert.deepEqual(app.own()?.image, image);

  const unknown = { id: `${"x".repeat(22)}-10x10`, alt: "Nothing" };
  assert.equal((await app.upload(unknown)).status, 404);
  assert.deepEqual(app.own()?.image, image);
});

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

for (const taken of ["removed", "replaced", "brought back"]) {
  Deno.test(`an image of a draft that is ${taken} stays for another week, however old it is, so that undo can bring it back`, async () => {
    await using app = await start();
    const file = await imageFile("jpeg", { width: 200, height: 100 });
    const draft = { "b:draft": "true" };
    const upload = async (fields: Record<string, string | Uint8Array<ArrayBuffer>>) =>
      (await app.upload({ ...draft, alt: "A loaf", ...fields }, await app.signIn())).status;
    const remove = async () => {
      const fields = { _page: FORM, of: "form", form: "footer", ...draft };
      await (await app.signIn()).send("cfbe_remove_form_image", fields);
    };
    assert.equal(await upload({ file }), 303);
    const { html } = await app.user.page(FORM);
    const id = /cfbe-image\/([\w-]{22}-200x100)\.webp/.exec(html)![1]!;
    await app.clock.advance(2 * WEEK_MS);
    if (taken === "replaced") await upload({ file: await imageFile("jpeg", { width: 210, height: 100 }) });
    else await remove();
    if (taken === "brought back") {
      await app.clock.advance(WEEK_MS - 1);
      assert.equal(await upload({ id }), 303);
      await app.clock.advance(WEEK_MS - 1);
      await remove();
    }
    await app.clock.advance(WEEK_MS - 1);
    await sweepImages(app.services).handle({ signal: new AbortController().signal } as never);
    assert.equal(await upload({ id }), 303);
  });
}
