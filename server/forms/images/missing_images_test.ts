import assert from "node:assert/strict";
import { harness } from "../../../dev/testing/harness.ts";
import { withoutMissingImages } from "./missing_images.ts";
import { storeImage } from "./rows.ts";

const MISSING = "AAAAAAAAAAAAAAAAAAAAAA-600x300";
const of = (id: string) => ({ id, alt: "Tea", place: "top" as const });

Deno.test("settings with images that are not stored here are saved without those, keep the others, and say so", async () => {
  await using app = await harness();
  const stored = await storeImage(app.services, { bytes: Uint8Array.of(1), width: 4, height: 4 });
  const variants = [{ id: "a", name: "A" }, {
    id: "b",
    name: "B",
    undescribed: true as const,
    overrides: { design: { image: of(MISSING) } },
  }];
  const forms = [
    {
      name: "footer",
      design: { radius: "round" as const, image: of(stored) },
      experiment: { id: "x1", state: "running" as const, variants },
    },
    { name: "club", design: { image: of(MISSING) } },
    { name: "plain" },
  ];
  const left = await withoutMissingImages(app.services, "forms", { forms });
  const [footer, club, plain] = left.fields["forms"] as typeof forms;
  assert.deepEqual(footer!.design, forms[0]!.design);
  assert.deepEqual([footer!.experiment!.id, footer!.experiment!.state], ["x1", "running"]);
  assert.deepEqual(footer!.experiment!.variants[1]!.overrides, {});
  assert.equal(footer!.experiment!.variants[1]!.undescribed, undefined);
  assert.deepEqual([club!.design, plain!.name], [undefined, "plain"]);
  assert.match(left.note!, /footer, club: upload them again/);

  for (const tab of ["popup", "form"] as const) {
    const design = { radius: "round", image: of(MISSING) };
    const { fields, note } = await withoutMissingImages(app.services, tab, { design, button: "Go" });
    assert.deepEqual(fields, { design: { radius: "round" }, button: "Go" });
    assert.match(note!, /upload it again/);
  }
  for (const id of [stored, "no ID"]) {
    const fields = { design: { image: of(id) } };
    assert.deepEqual(await withoutMissingImages(app.services, "popup", fields), { fields, note: undefined });
  }
});
