import assert from "node:assert/strict";
import { keys } from "../kv/keys.ts";
import type { ConsentRow, SignupRecord } from "./record/row.ts";
import { eventually } from "../testing/eventually.ts";
import { ManualClock } from "../testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../testing/program.ts";

const ANN = "ann@example.com";

const start = (settings = {}, clock = new ManualClock()) =>
  startProgram({
    clock,
    run: false,
    env: { CFBE_API_TOKEN: "a-token-for-integrations" },
    file: { settings },
  });

async function sign(program: TestProgram, body: unknown, token = "a-token-for-integrations") {
  const answer = await fetch(`${program.baseUrl}/integrations/signup`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const json = await answer.json();
  return { status: answer.status, ...json };
}

Deno.test("accounts and other systems sign up with the API token, and the record says where from", async () => {
  await using program = await start({
    form: { consent: "required", consentText: "I agree", nameField: "optional" },
  });
  const { kv, settings } = program.services;
  for (const source of ["account", "integration"] as const) {
    const email = `${source}@example.com`;
    const body = {
      source,
      email,
      name: "Ann",
      consent: true,
      ip: "198.51.100.7",
      locale: "de",
      list: "unknown",
    };
    assert.deepEqual((await sign(program, body)).code, "pending");
    const list = settings.current().general.defaultList;
    const record = (await kv.get<SignupRecord>(keys.signup(email, list))).value;
    assert.deepEqual([record?.source, record?.name, record?.status], [source, "Ann", "queued"]);
    const [consent] = await Array.fromAsync(kv.list<ConsentRow>({ prefix: keys.consentsOf(email, list) }));
    const { given, locale, ip, textHash } = consent!.value;
    assert.deepEqual([given, locale, ip], [true, "de", "198.51.100.7"]);
    assert.ok((await kv.get(keys.consentText(textHash!))).value);
  }
});

Deno.test("without the token it is 401, and nothing is written", async () => {
  await using program = await start();
  for (const token of ["", "wrong", "a-token-for-integration"]) {
    assert.equal((await sign(program, { source: "account", email: ANN }, token)).status, 401);
  }
  assert.deepEqual(await Array.fromAsync(program.services.kv.list({ prefix: keys.signupsOf(ANN) })), []);
});

Deno.test("every wrong field is named, in the language asked for", async () => {
  await using program = await start({ form: { consent: "required", consentText: "I agree" } });
  const wrong = await sign(program, { source: "account", email: "ann", locale: "de" });
  assert.deepEqual([wrong.status, wrong.code, Object.keys(wrong.fields)], [400, "invalid", [
    "email",
    "consent",
  ]]);
  assert.match(wrong.fields.email, /vollständige/);
  for (const source of ["shortcode", "checkout", undefined, 7]) {
    const answer = await sign(program, { source, email: ANN, consent: true });
    assert.deepEqual([answer.status, Object.keys(answer.fields)], [400, ["source"]]);
  }
  for (const body of ["", "[]", "null", "{", "\0"]) {
    assert.equal((await sign(program, body)).status, 400, body);
  }
  assert.equal((await sign(program, "x".repeat(4097))).status, 413);
});

Deno.test("the mailbox's limit holds here too, and the site's is not spent", async () => {
  await using program = await start();
  for (let i = 0; i < 40; i++) {
    assert.equal((await sign(program, { source: "integration", email: `a${i}@example.com` })).status, 200);
  }
  for (let i = 0; i < 3; i++) {
    assert.equal((await sign(program, { source: "account", email: ANN })).status, 200);
  }
  const refused = await sign(program, { source: "account", email: "ann+x@example.com" });
  assert.deepEqual([refused.status, refused.code], [429, "rate_limited"]);
});

Deno.test("with no provider configured it is 503 for the sender to try again, and nothing is kept", async () => {
  await using program = await start({ general: { defaultList: "" } });
  const answer = await sign(program, { source: "account", email: ANN });
  assert.deepEqual([answer.status, answer.code], [503, "rejected"]);
  assert.deepEqual(await Array.fromAsync(program.services.kv.list({ prefix: keys.signupsOf(ANN) })), []);
});

Deno.test("with a database that does not answer it is 503 after ten seconds", async () => {
  const clock = new ManualClock();
  await using program = await start({}, clock);
  program.services.signups.accept = () => new Promise(() => {});
  const asleep = clock.sleeping;
  const asked = sign(program, { source: "account", email: ANN });
  await eventually("it waits", () => clock.sleeping > asleep);
  await clock.advance(10_000);
  const answer = await asked;
  assert.deepEqual([answer.status, answer.code], [503, "rejected"]);
});
