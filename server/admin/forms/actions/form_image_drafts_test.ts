import assert from "node:assert/strict";
import { imageFile } from "../../../forms/images/testing/samples.ts";
import { POPUP } from "../../../settings/forms/all_forms.ts";
import { type DraftedId, formDraftKey } from "../../../settings/forms/form_drafts.ts";
import { DRAFT, draftWorld } from "../../testing/drafts.ts";

const BOTH: readonly (readonly [string, DraftedId])[] = [["a form", { name: "footer" }], ["the popup", {
  name: POPUP,
}]];
const NEW = { "fields.heading": "New" };
const published = { image: { id: `${"a".repeat(22)}-40x30`, alt: "Tea", place: "top" as const } };
const withImage = {
  forms: { forms: [{ name: "footer", heading: "Old", design: { radius: "none" as const, ...published } }] },
  popup: { design: { radius: "none" as const, ...published } },
};

for (const [it, id] of BOTH) {
  Deno.test(`an image of ${it} that is uploaded to a draft is only in the preview until the draft is published`, async () => {
    await using world = await draftWorld(id);
    const before = await world.shown("pages", "en");
    const file = await imageFile("jpeg", { width: 200, height: 100 });
    assert.equal((await world.upload({ ...DRAFT, file, alt: "A loaf" })).status, 303);
    assert.equal(world.published().design, undefined);
    assert.deepEqual(await world.shown("pages", "en"), before);
    for (const locale of ["en", "de"]) {
      const image = (await world.shown("preview", locale)).design!.image!;
      assert.deepEqual({ ...image, id: image.id.slice(22) }, {
        id: "-200x100",
        alt: "A loaf",
        place: "left",
      });
    }
    const html = await world.html();
    assert.match(html, /Unpublished changes/);
    assert.match(html, />Image<.*not set.*Left of the form\. Description: A loaf/s);
    assert.match(html, /<img src="[^"]*-200x100\.webp" alt="A loaf"/);

    // What is typed over it is previewed with it, and saving it keeps it.
    const saveAction = id.name === POPUP ? "cfbe_save_popup" : "cfbe_edit_form";
    const typed = await world.app.fetch(world.admin.actionUrl(saveAction, { path: "/preview" }), {
      method: "POST",
      headers: { cookie: world.admin.cookie },
      body: new URLSearchParams({
        ...(id.name !== POPUP && { form: "footer" }),
        "fields.heading": "New",
        "fields.design.radius": "none",
      }),
    });
    assert.match(await typed.text(), /-200x100"/);
    assert.equal((await world.save({ ...DRAFT, "fields.heading": "New" })).status, 200);
    assert.equal((await world.save({ "fields.heading": "New" })).status, 200);
    const { heading, design } = world.published();
    assert.equal(heading, "New");
    assert.equal((design!.image as { alt: string }).alt, "A loaf");
    assert.doesNotMatch(await world.html(), /Unpublished changes/);
  });

  Deno.test(`an image of ${it} is in the preview before it is described, and published only afterwards`, async () => {
    await using world = await draftWorld(id);
    const file = await imageFile("jpeg", { width: 200, height: 100 });
    assert.equal((await world.upload({ ...DRAFT, file })).status, 303);
    const { id: imageId, ...shown } = (await world.shown("preview", "en")).design!.image!;
    assert.deepEqual(shown, { alt: "", place: "left" });
    const html = await world.html();
    assert.match(html, /Describe the image before you publish it/);
    assert.match(html, /Not described yet/);
    assert.match(html, /id="save_form_image-decorative"(?![^>]*checked)/);

    const named: Record<string, string> = id.name === POPUP ? {} : { form: "footer" };
    for (const refused of [await world.save(NEW), await world.run("cfbe_publish_form", named)]) {
      assert.deepEqual([refused.status, refused.code], [422, "undescribed"]);
      assert.match(refused.message, /describe it for people who don't see it, or mark it as decorative/);
    }
    assert.equal(world.published().design, undefined);
    // Other changes don't forget that.
    assert.equal((await world.save({ ...DRAFT, "fields.heading": "New" })).status, 200);
    assert.equal((await world.save(NEW)).code, "undescribed");

    await world.upload({ ...DRAFT, "b:decorative": "true" });
    assert.equal((await world.save(NEW)).status, 200);
    assert.deepEqual(world.published().design!.image, { id: imageId, alt: "", place: "left" });
  });

  Deno.test(`the description, the place and the removal of the image of ${it} wait in the draft, and discarding it drops them`, async () => {
    await using world = await draftWorld(id, withImage);
    const stays = () => assert.deepEqual(world.published().design, { radius: "none", ...published });
    const changed = await world.upload({ ...DRAFT, alt: "", "b:decorative": "true", place: "background" });
    assert.equal(changed.status, 303);
    stays();
    assert.equal((await world.shown("preview", "en")).design!.image!.place, "background");
    assert.match(await world.html(), /Above the form\. Description: Tea.*Behind the form\. Decorative/s);
    // Without a file, it is the draft's image whose description changes.
    await world.upload({ ...DRAFT, alt: "A cup", place: "left" });
    assert.match(await world.html(), /Left of the form\. Description: A cup/);

    assert.equal((await world.removeImage(DRAFT)).status, 200);
    stays();
    assert.equal((await world.shown("preview", "en")).design?.image, undefined);
    assert.match(await world.html(), /No image yet\./);
    assert.equal((await world.discard()).status, 200);
    stays();
    assert.equal((await world.shown("preview", "en")).design!.image!.place, "top");

    await world.removeImage(DRAFT);
    assert.equal((await world.save({ "fields.design.radius": "none" })).status, 200);
    assert.deepEqual(world.published().design, { radius: "none" });
  });

  Deno.test(`two people who change the image of ${it} in a draft see a conflict, and neither overwrites the other`, async () => {
    await using world = await draftWorld(id, withImage);
    const seen = await world.shownVersion();
    assert.equal((await world.upload({ ...DRAFT, alt: "Ann's" }, seen)).status, 303);
    for (const button of [DRAFT, {}] as Record<string, string>[]) {
      const refused = await world.upload({ ...button, alt: "Bob's" }, seen);
      assert.equal(refused.status, 409);
      assert.match(await refused.text(), /saved a draft of .*while you were editing/);
    }
    assert.equal((await world.save({ "fields.heading": "Bob's" }, seen)).status, 409);
    assert.match(await world.html(), /Description: Ann(&#39;|')s/);
    assert.deepEqual(world.published().design?.image, published.image);
  });

  Deno.test(`a draft of ${it} from before drafts had images keeps the image that is published by then`, async () => {
    await using world = await draftWorld(id, withImage);
    const row = { v: 1 as const, values: { heading: "New", design: { radius: "large" } }, by: "ann", at: 1 };
    await world.app.kv.set(formDraftKey(id), row);
    assert.match(await world.html(), /Design › Corners/);
    assert.doesNotMatch(await world.html(), />Image<\/div>/);
    // A page of an earlier version sends the image with the settings.
    const sent = { "fields.design.radius": "large", "fields.design.image.id": published.image.id };
    const image = { "fields.design.image.alt": "Tea", "fields.design.image.place": "top" };
    assert.equal((await world.save({ ...sent, ...image })).status, 200);
    assert.deepEqual(world.published().design, { radius: "large", ...published });
  });
}

Deno.test("an image of the defaults has no draft", async () => {
  await using world = await draftWorld({ name: "footer" });
  const refused = await world.run("cfbe_remove_form_image", { of: "defaults", ...DRAFT });
  assert.deepEqual([refused.status, refused.code], [422, "no_drafts"]);
  const { html } = await world.admin.page("/form-defaults");
  assert.doesNotMatch(html, /as draft|in draft/);
});
