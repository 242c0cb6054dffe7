import assert from "node:assert/strict";
import { harness, LIST } from "../../dev/testing/harness.ts";
import { startProgram } from "../../dev/testing/program.ts";
import { NAMESPACE } from "../../shared/contract.ts";

/** Tests what the public routes return: form tokens, settings, and compressed bodies. */

Deno.test("form-token has the same response for an existing form, a missing one and a name like `constructor`", async () => {
  await using app = await harness({ settings: { forms: { forms: [{ name: "footer" }] } } });
  for (const form of ["footer", "nosuch", "constructor", "__proto__", ""]) {
    const response = await app.fetch(`${NAMESPACE}/form-token?form=${form}`);
    assert.deepEqual([response.status, Object.keys(await response.json())], [200, ["token"]], form);
  }
});

Deno.test("a form token is new, correctly signed and accepted three seconds later", async () => {
  await using app = await harness();
  const { token } = await (await app.fetch(`${NAMESPACE}/form-token`)).json();
  await app.clock.advance(3_000);
  await app.post({ email: "ada@example.com", cfbe_token: token });
  assert.ok(await app.record("ada@example.com", LIST));
});

Deno.test("cfbe.json contains the form's settings and a signed configuration, but no secret", async () => {
  const settings = {
    form: { consent: "required", consentText: "Yes.", locales: { de: { consentText: "Ja." } } },
    forms: { forms: [{ name: "footer", tags: ["vip"] }] },
  };
  await using app = await harness({ settings });
  const first = await app.fetch("/cfbe.json?locale=de-CH");
  const text = await first.text();
  assert.doesNotMatch(text, /the-provider-key|the-webhook-secret/);
  const { locale, consentText, forms } = JSON.parse(text);
  assert.deepEqual([locale, consentText], ["de", "Ja."]);
  await app.post({ email: "ada@example.com", consent: true, cfbe_cfg: forms.footer.cfg });
  const { tags, form } = (await app.record("ada@example.com"))!;
  assert.deepEqual([tags, form], [["vip", "placement-footer"], "footer"]);
  const again = await app.fetch("/cfbe.json?locale=de-CH", {
    headers: { "if-none-match": first.headers.get("etag")! },
  });
  assert.deepEqual([again.status, await again.text()], [304, ""]);
});

Deno.test("scripts, pages and settings are compressed for clients that accept it, and the contract's responses are not", async () => {
  await using program = await startProgram();
  const app = await program.createApp();
  const chunk = `/cfbe/${
    [...Deno.readDirSync(new URL("../../widget/dist/cfbe/", import.meta.url))][0]!.name
  }`;
  for (
    const [path, expected] of [
      ["/cfbe.js", "br"],
      [chunk, "br"],
      ["/cfbe.json", "gzip"],
      ["/openapi.json", "gzip"],
      ["/page-assets/visitor_page.css", "br"],
      ["/admin/assets/admin.css", "br"],
      ["/admin/assets/admin.js", "br"],
      ["/form/footer", "gzip"],
      ["/admin/login", "br"],
      [`${NAMESPACE}/form-token`, null],
    ] as const
  ) {
    const response = await app.request(path, { headers: { "accept-encoding": "gzip, br" } });
    assert.deepEqual([response.status, response.headers.get("content-encoding")], [200, expected], path);
    await response.body?.cancel();
  }
});
