/** The description of a form's image in one language. */
import assert from "node:assert/strict";
import { DRAFT, draftWorld } from "../../testing/drafts.ts";

const image = (alt: string) => ({ id: "c".repeat(22) + "-200x100", alt, place: "left" as const });

Deno.test("visitors read the description of a form's image in their language, and the original one once the image has another", async () => {
  await using world = await draftWorld({ name: "footer" });
  const { app, html, saveTexts, shown } = world;
  const { settings } = app.services;
  const describe = (alt: string) =>
    settings.save("forms", { forms: [{ name: "footer", heading: "Old", design: { image: image(alt) } }] });
  const altIn = async (locale: string) => (await shown("pages", locale)).design?.image?.alt;
  await describe("A pot of tea");
  assert.match(await html("de"), /Image <small>same|placeholder="A pot of tea"[^>]* name="o:imageAlt"/);
  await saveTexts({ "o:heading": "Alt", "o:imageAlt": "Eine Kanne Tee" });
  assert.deepEqual([await altIn("de"), await altIn("fr")], ["Eine Kanne Tee", "A pot of tea"]);
  assert.doesNotMatch(await html("de"), /The original has changed/);

  await describe("A cup of coffee");
  assert.equal(await altIn("de"), "A cup of coffee");
  assert.match(await html("de"), /The original has changed: “A cup of coffee”/);
  await saveTexts({ ...DRAFT, "o:heading": "Alt", "o:imageAlt": "Eine Tasse Kaffee" });
  assert.equal(await altIn("de"), "A cup of coffee", "not published yet");
  const drafted = await html("de");
  assert.doesNotMatch(drafted, /The original has changed|Kept for the original/);
  assert.match(drafted, /German › Image description</);
});
