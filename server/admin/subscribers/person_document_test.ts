import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

/** Returns all texts and numbers in a value, except row versions and times. */
function leaves(value: unknown, name = ""): string[] {
  if (typeof value !== "object" || value === null) {
    const isTime = typeof value === "number" && value > 1e12;
    return name === "v" || isTime || typeof value === "boolean" || value === null || value === ""
      ? []
      : [String(value)];
  }
  return Object.entries(value).flatMap(([name, member]) => leaves(member, name));
}

Deno.test("an export is shown and downloaded as a readable document with ISO dates and all data, and as JSON", async () => {
  const consentText = "Send me <b>news</b>.";
  await using app = await adminHarness({ settings: { form: { consent: "optional", consentText } } });
  const email = "ada@example.com";
  await (await app.post({ email, consent: true }, { peer: "198.51.100.7" })).body?.cancel();
  await app.work();
  const admin = await app.signIn();
  const html = await (await admin.send("cfbe_export_person", { _page: "/requests", email })).text();
  const download = (type: string) => {
    const [, data] = new RegExp(`href="data:${type};charset=utf-8,([^"]*)" download=`).exec(html) ?? [];
    return decodeURIComponent(data ?? "");
  };
  const json = JSON.parse(download("application/json"));
  assert.deepEqual(json, JSON.parse(JSON.stringify(await app.services.people.export(email))));

  const document = download("text/html");
  assert.match(document, /^<!doctype html><html lang="en">/);
  assert.doesNotMatch(document, /<script|<link|https?:(?!\/\/(localhost|news\.example))/);
  const text = document.replace(/<style>.*?<\/style>/s, "").replace(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  // Sentences begin with a capital letter here.
  const lower = text.toLowerCase();
  assert.match(lower, /source:\s+inline form/);
  for (const leaf of leaves({ held: json.held, marks: json.marks })) {
    if (leaf === "shortcode") continue;
    assert.ok(lower.includes(leaf.toLowerCase()), leaf);
  }
  assert.doesNotMatch(text, /\d{13}/, "no Unix milliseconds");
  const day = new Date(app.clock.now()).toISOString().slice(0, 10);
  assert.match(text, new RegExp(`Created at: +${day} \\d\\d:\\d\\d:\\d\\d UTC`));
  const shown = html.slice(html.indexOf("<main"), html.indexOf("<details"));
  assert.match(shown, new RegExp(`${day} \\d\\d:\\d\\d:\\d\\d UTC`), "on the page itself");
});
