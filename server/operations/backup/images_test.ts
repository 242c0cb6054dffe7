import assert from "node:assert/strict";
import { harness } from "../../../dev/testing/harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { exportedForm } from "../../forms/images/form_images.ts";
import { readImage, storeImage } from "../../forms/images/rows.ts";
import { steadyClock, systemClock } from "../../platform/deps.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { formDraftKey, readFormDraft } from "../../settings/forms/form_drafts.ts";
import { moveDatabase } from "../move/move.ts";
import { DATABASES } from "../move/testing/databases.ts";
import { takeBackup } from "./snapshot.ts";
import { readBytes, restoreInto } from "./testing/backups.ts";
import { openSaved } from "../../settings/store/testing/open_saved.ts";

/** Images of forms in a database that takes the place of another one. */

/** As many bytes as an image can have, which are more than one row. */
const image = (seed: number) => ({
  bytes: Uint8Array.from({ length: 60 * 1024 }, (_, index) => index * seed & 255),
  width: 1200,
  height: 630,
});

/** Adds a form that shows an image, and has another one in its draft. */
async function addForm(kv: Kv, settings: SettingsStore) {
  const deps = { kv, clock: systemClock };
  const shown = await storeImage(deps, image(7));
  const drafted = await storeImage(deps, image(11));
  const of = (id: string) => ({ id, alt: "Tea", place: "top" as const });
  await settings.save("forms", { forms: [{ name: "footer", design: { image: of(shown) } }] });
  await kv.set(formDraftKey({ name: "footer" }), { v: 1, by: "ann", at: 1, values: {}, image: of(drafted) });
  return { shown, drafted };
}

/** Asserts that the form of a database shows its image, and its draft the other one. */
async function assertShown(kv: Kv, { shown, drafted }: { shown: string; drafted: string }) {
  const form = await exportedForm({ kv, settings: await openSaved(kv) }, "footer");
  assert.deepEqual(Object.keys(form!.images!), [shown]);
  assert.deepEqual(await readImage(kv, shown), image(7).bytes);
  const draft = await readFormDraft(kv, { name: "footer" });
  assert.ok(typeof draft?.image === "object" && draft.image?.id === drafted);
  assert.deepEqual(await readImage(kv, drafted), image(11).bytes);
}

Deno.test("a form shows its image after a restore into another database, and so does its draft", async () => {
  await using app = await harness();
  await using other = await tempKv();
  const ids = await addForm(app.kv, app.services.settings);
  await restoreInto(app, other.kv, await readBytes(takeBackup(app.services)));
  await assertShown(other.kv, ids);
});

for (const engine of ["memory", "KV Connect"]) {
  Deno.test(`a form shows its image after a move to ${engine}, and so does its draft`, async () => {
    await using source = await DATABASES["memory"]!();
    await using target = await DATABASES[engine]!();
    const ids = await addForm(source.kv, await openSaved(source.kv));
    const begin = { id: "a move", to: "there", sealed: "", at: 1 };
    await moveDatabase({ source: source.raw, target: target.raw, begin, clock: steadyClock, rest: 0 });
    await assertShown(target.kv, ids);
  });
}
