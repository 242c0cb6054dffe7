import assert from "node:assert/strict";
import { harness } from "../../../dev/testing/harness.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { signFormConfig } from "../../forms/public/signed_config.ts";
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

Deno.test("a form that is off is not shown in answer to a submission either, but one that was open when it was paused still signs up", async () => {
  await using app = await harness();
  const { keyring, settings } = app.services;
  const design = { background: "#123456" };
  const footer = {
    name: "footer",
    heading: "Launch",
    tags: ["foot"],
    texts: { success: "Welcome." },
    design,
  };
  const post = async (fields: Record<string, string>, path = "/form/footer") => {
    const body = new URLSearchParams({ email: "ada@example.com", cfbe_token: app.token(), ...fields });
    const response = await app.fetch(path, { method: "POST", body });
    return { status: response.status, html: await response.text() };
  };
  const cfbe_cfg = signFormConfig(keyring, { form: "footer", placement: "footer" });
  const others = [{}, { cfbe_token: "old" }, { email: "" }, { cfbe_cfg: signFormConfig(keyring, {}) }];
  const unpublished = [{ status: "draft" }, { schedule: { from: "2999-12-01T09:00" } }] as const;
  const over = [{ status: "paused" }, { schedule: { until: "2001-12-01T09:00" } }] as const;
  for (const off of [...unpublished, ...over]) {
    await settings.save("forms", { forms: [{ ...footer, ...off }] });
    const isOver = over.some((each) => each === off);
    for (const fields of [...others, ...isOver ? [] : [{ cfbe_cfg }], { text: "x".repeat(5_000) }]) {
      const { status, html } = await post(fields);
      assert.equal(status, "text" in fields ? 413 : 404, JSON.stringify([off, fields]).slice(0, 200));
      assert.doesNotMatch(html, /<form|Launch|cfbe_cfg|Welcome/);
    }
    assert.equal(await app.record("ada@example.com"), null);
    const css = await (await app.fetch("/form-design.css?form=footer")).text();
    assert.doesNotMatch(css, /123456/);
    if (!isOver) continue;
    const email = `${"status" in off ? "paused" : "ended"}@example.com`;
    const { status, html } = await post({ cfbe_cfg, email });
    assert.equal(status, 200);
    assert.match(html, /Welcome\./);
    assert.equal((await app.record(email))!.form, "footer");
  }
});
