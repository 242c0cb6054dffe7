import assert from "node:assert/strict";
import { postedBy } from "../../../dev/testing/in_worker.ts";

/** What the admin shows and stores of a member that is only a row of `FORM_MEMBERS`. */
interface Found {
  pages: Record<string, string>;
  stored: { own: { mood?: string }[]; translated: { mood?: string; forms: { mood?: string }[] } };
  /** The texts of the popup that a variant has replaced. */
  kept: Record<"all" | "de" | "fr", { mood?: string; button?: string }>;
  capability: string;
}

Deno.test("a member of a form that is declared by one row appears in every editor, is stored and kept with a variant, and needs its capability", async () => {
  const { pages, stored, kept, capability } = await postedBy<Found>(
    new URL("./testing/added_member.ts", import.meta.url),
  );
  for (const [editor, html] of Object.entries(pages)) {
    assert.match(html, /<label[^>]*>[^<]*Mood of the form/, `the editor of ${editor}`);
  }
  assert.match(pages["the popup"]!, /Pace of the popup[^]*<input[^>]*max="9"[^>]*name="n:fields.pace"/);
  assert.equal(stored.own[0]!.mood, "glad");
  assert.equal(stored.translated.mood, "ruhig");
  assert.equal(stored.translated.forms[0]!.mood, "froh");
  assert.equal(kept.all.mood, "sad");
  assert.deepEqual([kept.de, kept.fr], [{ mood: "leise", button: "Los" }, { mood: "triste" }]);
  assert.equal(capability, "settings");
});
