import assert from "node:assert/strict";
import { pages } from "../page_registry.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

Deno.test("an analyst sees numbers and settings, but no address, IP address or name of a subscriber on any page", async () => {
  await using app = await adminHarness({
    settings: { form: { consent: "optional", consentText: "Yes", nameField: "optional" } },
  });
  const fields = { email: "ada@example.com", name: "Lovelace", consent: true };
  await (await app.post(fields, { peer: "198.51.100.7" })).body?.cancel();
  await app.work();
  const analyst = await app.signIn("analyst");
  const opened: string[] = [];
  for (const { path } of pages) {
    const { status, html } = await analyst.page(path);
    if (status === 200) {
      opened.push(path);
      assert.equal(html.match(/, read-only</g)?.length, 1, `${path} says once that it is read-only`);
    }
    assert.doesNotMatch(html, /ada@example|198\.51\.100\.7|Lovelace/, path);
    // Links in the page lead only to pages that open.
    for (const [, to] of html.matchAll(/href="\/admin(\/(?:jobs|subscribers?|requests|audit))\b/g)) {
      assert.fail(`${path} links to ${to}`);
    }
  }
  assert.ok(
    ["/overview", "/forms", "/general", "/users"].every((path) => opened.includes(path)),
    `${opened}`,
  );
  assert.ok(!["/subscribers", "/jobs", "/audit", "/requests"].some((path) => opened.includes(path)));
  const viewer = await app.signIn("viewer");
  assert.match((await viewer.page("/subscribers")).html, /ada@example\.com/);
  assert.equal((await analyst.send("cfbe_save_popup", {})).status, 403);
});

Deno.test("where an analyst may only read, settings pages say so, and offer no buttons for changes", async () => {
  await using app = await adminHarness();
  await app.services.settings.save("form", { interests: [{ tag: "tea", label: "Tea" }] });
  await app.services.settings.save("forms", { forms: [{ name: "footer", interests: [] }] });
  const sentenceOf = (path: string) =>
    `You can read this page. Only admins ${
      path === "/users" ? "" : "and marketers "
    }can change anything on it.`;
  const [admin, analyst] = [await app.signIn(), await app.signIn("analyst")];
  for (const path of ["/users", "/form-settings?form=footer", "/form-defaults", "/popup", "/forms"]) {
    const { html } = await analyst.page(path);
    const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
    assert.ok(main.includes(sentenceOf(path)), path);
    // Those of the check change nothing.
    assert.doesNotMatch(main, /<button type="submit"(?! [^>]*name="_check")(?![^>]*>Edit<)/, path);
    // The menu of languages shows others.
    assert.doesNotMatch(main, /<button[^>]* popovertarget="(?!languages")/, path);
    assert.ok(!(await admin.page(path)).html.includes(sentenceOf(path)), path);
  }
  assert.doesNotMatch((await analyst.page("/overview")).html, /You can read this page/);
});
