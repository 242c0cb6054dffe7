import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import {
  integrationSignup as signUp,
  startWithIntegrations as start,
} from "../testing/integration_signup.ts";

const ANN = "ann@example.com";

Deno.test("every invalid field is reported, in the requested language", async () => {
  await using program = await start({ form: { consent: "required", consentText: "I agree" } });
  const invalid = await signUp(program, { source: "account", email: "ann", locale: "de" });
  assert.deepEqual([invalid.status, invalid.code, Object.keys(invalid.fields)], [400, "invalid", [
    "email",
    "consent",
  ]]);
  assert.match(invalid.fields.email, /vollständige/);
  for (const source of ["shortcode", "checkout", undefined, 7]) {
    const response = await signUp(program, { source, email: ANN, consent: true });
    assert.deepEqual([response.status, Object.keys(response.fields)], [400, ["source"]]);
  }
  for (const body of ["", "[]", "null", "{", "\0"]) {
    assert.equal((await signUp(program, body)).status, 400, body);
  }
  assert.equal((await signUp(program, "x".repeat(4097))).status, 413);
});

Deno.test("everything that is wrong with a signup from another system is reported at once, and nothing is stored", async () => {
  await using program = await start({
    form: { nameField: "required" },
    forms: { forms: [{ name: "shop" }] },
  });
  const fieldsOf = async (body: Record<string, unknown>) => {
    const { status, fields } = await signUp(program, body);
    assert.equal(status, 400, JSON.stringify(body));
    return Object.keys(fields).sort();
  };
  const wrong = { email: "ann", consentText: 1, ip: "2001:db8::zz", locale: "de; drop" };
  const always = ["consentText", "email", "ip", "locale"];
  assert.deepEqual(await fieldsOf({ ...wrong, source: "integration" }), [...always, "name"].sort());
  assert.deepEqual(
    await fieldsOf({ ...wrong, source: "x", form: "none" }),
    [...always, "form", "source"].sort(),
  );
  const valid = { source: "account", email: ANN, name: "Ann" };
  for (const ip of ["203.0.113.7, 10.0.0.1", 7, "localhost"]) {
    assert.deepEqual(await fieldsOf({ ...valid, ip }), ["ip"]);
  }
  for (const locale of ["d", 1, ["de"], "de-".repeat(20)]) {
    assert.deepEqual(await fieldsOf({ ...valid, locale }), ["locale"]);
  }
  const signups = await Array.fromAsync(program.services.kv.list({ prefix: keys.byStatusAll("queued") }));
  assert.deepEqual(signups, []);
});

Deno.test("a signup from another system may leave its IP and its language empty, and name a language without texts", async () => {
  await using program = await start();
  for (
    const [index, more] of [{ ip: null, locale: null }, { ip: "", locale: "" }, { locale: "de_DE_formal" }]
      .entries()
  ) {
    const { status } = await signUp(program, {
      source: "account",
      email: `ann${index}@example.com`,
      ...more,
    });
    assert.equal(status, 200, JSON.stringify(more));
  }
});
