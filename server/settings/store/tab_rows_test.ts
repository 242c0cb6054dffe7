import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { wrap } from "../../platform/kv/wrap.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { tabKey, type TabRow } from "./tab_rows.ts";
import { fullForms } from "./testing/full_forms.ts";
import { openSaved } from "./testing/open_saved.ts";

/** Returns forms whose JSON has about 2.5 KB each. */
const manyForms = (count: number, tag = "a") =>
  Array.from({ length: count }, (_, index) => ({
    name: `form-${index}`,
    heading: `${tag} ${index}`,
    text: "ä".repeat(900),
    fields: [{
      name: "tea",
      kind: "select",
      label: "Tea",
      options: Array.from({ length: 40 }, (_, option) => `Option ${option} of form ${index}`),
    }],
  }));

const partsIn = async (kv: Kv) =>
  (await Array.fromAsync(kv.list({ prefix: keys.settingsPart("forms", "", 0).slice(0, -2) }))).length;

/** Returns text that cannot be compressed much. */
const noise = (index: number) =>
  Array.from({ length: 18 }, (_, part) => crypto.randomUUID() + index + part).join(" ").slice(0, 700);

Deno.test("forms that take more than one row are saved, and read by every process", async () => {
  await using temp = await tempKv();
  const settings = await openSaved(temp.kv);
  const other = await openSaved(temp.kv);
  await settings.save("forms", { forms: manyForms(150) });
  assert.ok(await partsIn(temp.kv) > 0);
  assert.equal(settings.current().forms.forms.length, 150);
  await other.refresh();
  assert.deepEqual(other.current(), settings.current());
  assert.deepEqual((await openSaved(temp.kv)).current(), settings.current());

  await other.save("form", { successUrl: "/thanks" });
  await other.save("forms", { forms: manyForms(2) });
  assert.equal(await partsIn(temp.kv), 0);
  await settings.refresh();
  assert.equal(settings.current().forms.forms.length, 2);
});

Deno.test("of two processes that save large forms at once, none loses a save, and no part is left over", async () => {
  await using temp = await tempKv();
  const [one, two] = [await openSaved(temp.kv), await openSaved(temp.kv)];
  await one.save("forms", { forms: manyForms(100) });
  const before = await partsIn(temp.kv);
  await Promise.all([
    one.save("forms", { forms: manyForms(100, "one") }),
    two.save("form", { successUrl: "/thanks" }),
    two.save("forms", { forms: manyForms(100, "two") }),
  ]);
  await one.refresh();
  const { forms, form } = one.current();
  assert.match(forms.forms[0]!.heading!, /^(one|two) 0$/);
  assert.equal(form.successUrl, "/thanks");
  assert.equal(await partsIn(temp.kv), before);
});

Deno.test("a read while another process saves returns the forms before or after, never a mixture", async () => {
  await using temp = await tempKv();
  const writer = await openSaved(temp.kv);
  await writer.save("forms", { forms: manyForms(100, "before") });
  let saves = 0;
  // Saves between the read of the row and that of its parts.
  const kv: Kv = wrap(temp.kv, {
    getMany: (async (...args: Parameters<Kv["getMany"]>) => {
      const found = await temp.kv.getMany(...args);
      if (saves++ === 0) await writer.save("forms", { forms: manyForms(100, "after") });
      return found;
    }) as Kv["getMany"],
  });
  const reader = await openSaved(kv);
  assert.ok(reader.current().forms.forms.every(({ heading }) => heading!.startsWith("after")));
});

Deno.test("forms and their texts that fill their space are saved in one commit on every engine, and so is the popup beside them", async () => {
  await using temp = await tempKv();
  const settings = await openSaved(temp.kv);
  const saves = () => [
    { tab: "forms" as const, fields: { forms: fullForms() } },
    { tab: "form" as const, fields: { locales: { de: { texts: {}, forms: fullForms() } } } },
  ];
  await settings.saveAll(saves());
  for (const tab of ["forms", "form"]) {
    assert.equal(
      (await temp.kv.get<TabRow>(tabKey(tab))).value!.parts?.count,
      4,
      `${tab} is as large as can be`,
    );
  }
  await settings.saveAll(saves());
  await settings.save("popup", { heading: "Hello" });
  assert.equal((await openSaved(temp.kv)).current().popup.heading, "Hello");
});

Deno.test("forms that no commit can hold are refused with a reason, and nothing changes", async () => {
  await using temp = await tempKv();
  const settings = await openSaved(temp.kv);
  await settings.save("forms", { forms: manyForms(3) });
  const forms = Array.from({ length: 200 }, (_, index) => ({
    name: `form-${index}`,
    text: noise(index),
    fields: Array.from({ length: 2 }, (_, field) => ({
      name: `f${field}`,
      kind: "text",
      label: noise(field),
    })),
  }));
  await assert.rejects(settings.save("forms", { forms }), /Forms would take \d+ % of the space/);
  await settings.refresh();
  assert.equal(settings.current().forms.forms.length, 3);
});
