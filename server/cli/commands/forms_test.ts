import assert from "node:assert/strict";
import { storeImage } from "../../forms/images/rows.ts";
import { imageFile } from "../../forms/images/testing/samples.ts";
import { POPUP } from "../../settings/forms/all_forms.ts";
import { formDraftKey, readFormDraft } from "../../settings/forms/form_drafts.ts";
import { cfbe, runningService } from "../testing/cli.ts";

Deno.test("a form is added as a draft and renamed on the command line, and its ID stays", async () => {
  await using program = await runningService();
  const env = program.shell;
  await program.services.settings.save("forms", { forms: [] });
  const forms = () =>
    program.services.settings.current().forms.forms.map((
      { name, title, status, opens },
    ) => [name, title, status, opens?.kind]);
  const added = await cfbe({ env }, "forms", "add", "Autumn club", "--kind", "slide-in");
  assert.deepEqual([added.code, added.out], [0, "Autumn club was added as a draft."]);
  const live = await cfbe({ env }, "forms", "add", "Side", "--name", "side-bar", "--live");
  assert.deepEqual([live.code, live.out], [0, "The form Side was added."]);
  assert.equal((await cfbe({ env }, "forms", "rename", "autumn-club", "Winter club")).code, 0);
  assert.deepEqual(forms(), [
    ["autumn-club", "Winter club", "draft", "slide-in"],
    ["side-bar", "Side", undefined, undefined],
  ]);
  assert.equal((await cfbe({ env }, "forms", "rename", "side-bar", "")).code, 0);
  assert.equal(forms()[1]![1], undefined);

  assert.equal((await cfbe({ env }, "forms", "add", "Other", "--name", "side-bar")).code, 1);
  assert.equal((await cfbe({ env }, "forms", "add", "Other", "--kind", "round")).code, 2);
  assert.equal((await cfbe({ env }, "forms", "rename", "gone", "New")).code, 3);
  assert.equal(forms().length, 2);
});

Deno.test("a form is exported and imported on the command line, and a file with problems changes nothing", async () => {
  await using program = await runningService();
  const env = program.shell;
  const { settings } = program.services;
  await settings.save("forms", { forms: [{ name: "footer", heading: "Hello" }] });
  const exported = await cfbe({ env }, "forms", "export", "footer");
  assert.equal(exported.code, 0);
  assert.equal((await cfbe({ env }, "forms", "export", "gone")).code, 3);
  const imported = await cfbe({ env, input: exported.out }, "forms", "import", "-", "--name", "copy");
  assert.deepEqual([imported.code, imported.out], [0, "copy was added as a draft."]);
  const copy = settings.current().forms.forms.find(({ name }) => name === "copy");
  assert.deepEqual([copy?.heading, copy?.status], ["Hello", "draft"]);
  const input = exported.out.replace('"inline"', '"round"');
  const refused = await cfbe({ env, input }, "forms", "import", "-", "--name", "other");
  assert.equal(refused.code, 1);
  assert.match(refused.err, /form\.layout: Choose one of: inline, block, promo/);
  assert.equal(settings.current().forms.forms.length, 2);
});

Deno.test("a form is exported on the command line with its images, and a note says that its draft is not", async () => {
  await using program = await runningService();
  const env = program.shell;
  const { services } = program;
  const size = { width: 40, height: 20 };
  const id = await storeImage(services, { bytes: await imageFile("webp", size), ...size });
  const image = { id, alt: "Tea", place: "top" };
  await services.settings.save("forms", { forms: [{ name: "footer", design: { image } }] });
  await services.kv.set(formDraftKey({ name: "footer" }), { v: 1, values: {}, by: "ada", at: 1 });
  const { out, err } = await cfbe({ env }, "forms", "export", "footer");
  assert.equal(err, "footer has unpublished changes, which are not exported.");
  assert.deepEqual(Object.keys(JSON.parse(out).images), [id]);
  const imported = await cfbe({ env, input: out }, "forms", "import", "-", "--name", "copy");
  assert.equal(imported.out, "copy was added as a draft.");
  const svg = out.replace(/"images": \{[^}]*\}/, `"images": {"${id}": "${btoa("<svg/>")}"}`);
  const refused = await cfbe({ env, input: svg }, "forms", "import", "-", "--name", "other");
  assert.match(refused.err, /images\..*not a JPEG, PNG or WebP image/);
});

Deno.test("the versions of a form and of the popup are listed, and restored as a draft, on the command line", async () => {
  await using program = await runningService();
  const env = program.shell;
  const { settings, kv } = program.services;
  for (const heading of ["One", "Two"]) {
    await settings.save("forms", { forms: [{ name: "footer", heading }] }, { by: "ann" });
    await settings.save("popup", { heading });
  }
  const { out } = await cfbe({ env }, "forms", "history", "footer");
  assert.match(out, /^published +by +version\n\d{4}-.* UTC +ann +\d+-\S+\n\d{4}/);
  const [, one] = JSON.parse((await cfbe({ env }, "forms", "history", "footer", "--json")).out);
  const restored = await cfbe({ env }, "forms", "restore", "footer", one.id);
  assert.equal(restored.code, 0, restored.err);
  assert.match(restored.out, /^The version of \S+ was restored\. Draft of footer saved/);
  assert.equal((await readFormDraft(kv, { name: "footer" }))?.values["heading"], "One");
  assert.equal(settings.current().forms.forms[0]!.heading, "Two");

  const ofPopup = JSON.parse((await cfbe({ env }, "forms", "history", "popup", "--json")).out);
  assert.equal((await cfbe({ env }, "forms", "restore", "popup", ofPopup.at(1).id)).code, 0);
  assert.equal((await readFormDraft(kv, { name: POPUP }))?.values["heading"], "One");
  assert.equal((await cfbe({ env }, "forms", "restore", "footer", "1-x")).code, 3);
  assert.equal((await cfbe({ env }, "forms", "history", "gone")).code, 3);
});
