import assert from "node:assert/strict";
import { ManualClock } from "../testing/manual_clock.ts";
import { get, start } from "./testing/form_page.ts";

Deno.test("an unknown form name gets a 404 page in the visitor's language, even a name like `constructor`", async () => {
  await using program = await start();
  for (
    const name of ["no-such-form", "Footer", "constructor", "__proto__", "toString", "%20", "x".repeat(500)]
  ) {
    const { response, html } = await get(program, `/form/${name}`, { "accept-language": "de" });
    assert.equal(response.status, 404, name);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'none'/);
    assert.match(html, /lang="de".*Anmeldeformular/s);
    assert.doesNotMatch(html, /<form/);
  }
  assert.equal((await get(program, "/form")).response.status, 200, "the default form has no name");
});

Deno.test("the page of a form that is a draft, paused or scheduled says that the form is not available, and shows nothing of it", async () => {
  await using program = await start(new ManualClock(), {});
  const offs = [{ status: "draft" }, { status: "paused" }, {
    schedule: { from: "2999-12-01T09:00" },
  }] as const;
  for (const off of offs) {
    await program.services.settings.save("forms", { forms: [{ name: "footer", heading: "Launch", ...off }] });
    const { response, html } = await get(program, "/form/footer", { "accept-language": "de" });
    assert.equal(response.status, 404);
    assert.match(html, /<h1>Dieses Anmeldeformular ist gerade nicht verfügbar\.<\/h1>/);
    assert.doesNotMatch(html, /<form|Launch/);
  }
});
