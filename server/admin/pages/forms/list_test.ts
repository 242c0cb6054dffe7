import assert from "node:assert/strict";
import { adminHarness } from "../../testing.ts";

Deno.test("the list has every form with its kind, its status, and its signups of 30 days", async () => {
  await using app = await adminHarness({ settings: { popup: { enabled: true } } });
  await app.services.settings.save("forms", {
    forms: [{ name: "footer", layout: "promo" }, { name: "new", status: "draft" }],
  });
  const { counters } = app.services;
  const count = (form: string) => counters.count(form, "accepted");
  count("footer");
  counters.note("confirmed.poll", "footer");
  counters.note("seen", "footer");
  await app.clock.advance(40 * 24 * 60 * 60 * 1000);
  ["footer", "footer", "shortcode", "block", "popup"].forEach(count);
  counters.note("seen", "footer");
  const { html } = await (await app.signIn()).page("/forms");
  const rows = [...html.matchAll(/<tr>(?!<th)(.*?)<\/tr>/g)].map(([, row]) =>
    [...row!.replace(/<div class="row-actions".*/, "").matchAll(/<div>(.*?)<\/div>/g)].map(([, cell]) =>
      cell!.replaceAll(/<[^>]*>/g, "")
    )
  );
  assert.deepEqual(rows, [
    ["Default form", "Any", "Live", "0", "2", "0", "0%", ""],
    ["footer", "Promo bar", "Live", "1", "2", "0", "0%"],
    ["new", "Inline", "Draft", "0", "0", "0", "–"],
    ["Popup", "Popup", "Live", "0", "1", "0", "0%", ""],
  ]);
});
