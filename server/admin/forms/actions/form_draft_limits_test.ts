import assert from "node:assert/strict";
import { keys } from "../../../platform/kv/keys.ts";
import { formDraftKey, readFormDraft } from "../../../settings/forms/form_drafts.ts";
import { OWN_TEXT_NAMES } from "../../../settings/schema/form_values.ts";
import { type Answer, DRAFT, draftWorld, german } from "../../testing/drafts.ts";

Deno.test("a draft with more texts than a row holds is refused with what to do, and the one before stays", async () => {
  await using world = await draftWorld({ name: "footer" }, german);
  const long = Object.fromEntries(OWN_TEXT_NAMES.map((name) => [`o:texts.${name}`, "x".repeat(1_000)]));
  let refused: Answer | undefined;
  for (const locale of ["de", "fr", "es", "it", "nl"]) {
    const answer = await world.saveTexts({ ...DRAFT, locale, ...long });
    if (answer.status !== 200) refused ??= answer;
  }
  assert.deepEqual([refused?.status, refused?.code], [413, "too_large"]);
  assert.match(refused!.message, /Shorten its texts and options, or publish them at once/);
  assert.deepEqual(Object.keys((await readFormDraft(world.app.kv, { name: "footer" }))!.texts!), ["de"]);
});

Deno.test("publishing a draft that someone saves at the same moment is a conflict, and loses nothing", async () => {
  await using world = await draftWorld({ name: "footer" }, german);
  const { kv } = world.app;
  await world.saveTexts({ ...DRAFT, "o:heading": "Neu" });
  const draftVersion = await world.shownVersion();
  const { prototype } = Deno.AtomicOperation;
  const { set } = prototype;
  // Just before the commit that publishes the draft.
  let saved: Promise<unknown> | undefined;
  const { commit } = prototype;
  let isPublishing = false;
  prototype.set = function (key, value) {
    isPublishing ||= key.join() === keys.settings("form").join();
    return set.call(this, key, value);
  };
  prototype.commit = async function () {
    if (isPublishing && !saved) {
      saved = kv.set(formDraftKey({ name: "footer" }), {
        v: 1,
        values: { heading: "Ann's" },
        by: "ann",
        at: 1,
      });
      await saved;
    }
    return await commit.call(this);
  };
  try {
    const refused = await world.save({ "fields.heading": "New" }, draftVersion);
    assert.deepEqual([refused.status, refused.code], [409, "conflict"]);
    assert.match(refused.message, /^ann saved a draft of this form/);
  } finally {
    Object.assign(prototype, { set, commit });
  }
  assert.deepEqual([world.published().heading, world.publishedTexts()!["heading"]], ["Old", "Alt"]);
  assert.equal((await readFormDraft(kv, { name: "footer" }))!.by, "ann");
});
