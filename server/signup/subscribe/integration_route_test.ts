import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import { readConsents } from "../record/consents.ts";
import type { ConsentTextRow } from "../../forms/consent_texts.ts";
import type { ConsentRow, SignupRecord } from "../record/row.ts";
import { eventually } from "../../../dev/testing/eventually.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import {
  integrationSignup as signUp,
  startWithIntegrations as start,
} from "../testing/integration_signup.ts";

const ANN = "ann@example.com";

Deno.test("accounts and other systems sign up with the API token, and the record stores the source", async () => {
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
    assert.deepEqual((await signUp(program, body)).code, "pending");
    const list = settings.current().general.defaultList;
    const record = (await kv.get<SignupRecord>(keys.signup(email, list))).value;
    assert.deepEqual([record?.source, record?.name, record?.status], [source, "Ann", "queued"]);
    const [consent] = await readConsents(kv, record!);
    const { given, locale, ip, textHash } = consent!;
    assert.deepEqual([given, locale, ip], [true, "de", "198.51.100.7"]);
    assert.ok((await kv.get(keys.consentText(textHash!))).value);
  }
});

Deno.test("a signup from another system can name a form, and then has its fields, consent text, list and tags", async () => {
  const own = { consent: "required", consentText: "Own text.", texts: { success: "Welcome." } } as const;
  await using program = await start({
    form: { consentText: "Default text." },
    forms: { forms: [{ name: "shop", tags: ["vip"], list: "for-shop", ...own }] },
  });
  const body = { source: "integration", email: ANN, form: "shop" };
  assert.deepEqual(Object.keys((await signUp(program, body)).fields), ["consent"]);
  assert.equal((await signUp(program, { ...body, consent: true })).message, "Welcome.");
  const { kv } = program.services;
  const record = (await kv.get<SignupRecord>(keys.signup(ANN, "for-shop"))).value!;
  assert.deepEqual([record.tags, record.form], [["vip"], "shop"]);
  const [consent] = await readConsents(kv, record);
  const text = await kv.get<{ text: string }>(keys.consentText(consent!.textHash!));
  assert.equal(text.value?.text, "Own text.");
});

Deno.test("a signup from another system for an unknown form is refused, counted, and stores no consent to another text", async () => {
  await using program = await start({ forms: { forms: [{ name: "shop" }] } });
  const { kv, counters } = program.services;
  const body = { source: "integration", email: ANN, consent: true };
  const names = ["gone", "", "constructor", "x".repeat(65), 7, ["shop"]];
  for (const form of names) {
    const { status, code, fields } = await signUp(program, { ...body, form });
    assert.deepEqual([status, code, Object.keys(fields)], [400, "invalid", ["form"]]);
    assert.match(fields.form, /has this name.*leave out/);
  }
  const both = await signUp(program, { ...body, source: "shortcode", form: "gone" });
  assert.deepEqual(Object.keys(both.fields), ["source", "form"]);
  assert.match(both.fields.source, /account.*integration/);
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: keys.signupsOf(ANN) })), []);
  const totals = await counters.totals();
  assert.deepEqual([totals["invalid.form"], totals["invalid.source"]], [names.length, 1]);
  for (const form of [undefined, null, "shop"]) {
    assert.equal(
      (await signUp(program, { ...body, form })).code,
      "pending",
      "the default form, or a known one",
    );
  }
});

Deno.test("a request without a valid token gets 401, and nothing is written", async () => {
  await using program = await start();
  for (const token of ["", "wrong", "a-token-for-integration"]) {
    assert.equal((await signUp(program, { source: "account", email: ANN }, token)).status, 401);
  }
  assert.deepEqual(await Array.fromAsync(program.services.kv.list({ prefix: keys.signupsOf(ANN) })), []);
});

Deno.test("the limit per mailbox applies, and the limit of the site does not", async () => {
  await using program = await start();
  for (let i = 0; i < 40; i++) {
    assert.equal((await signUp(program, { source: "integration", email: `a${i}@example.com` })).status, 200);
  }
  for (let i = 0; i < 3; i++) {
    assert.equal((await signUp(program, { source: "account", email: ANN })).status, 200);
  }
  const refused = await signUp(program, { source: "account", email: "ann+x@example.com" });
  assert.deepEqual([refused.status, refused.code], [429, "rate_limited"]);
});

Deno.test("while no provider is configured, a signup gets 503 and nothing is stored", async () => {
  await using program = await start({ general: { defaultList: "" } });
  const response = await signUp(program, { source: "account", email: ANN });
  assert.deepEqual([response.status, response.code], [503, "rejected"]);
  assert.deepEqual(await Array.fromAsync(program.services.kv.list({ prefix: keys.signupsOf(ANN) })), []);
});

Deno.test("if the database hangs, a signup gets 503 after ten seconds", async () => {
  const clock = new ManualClock();
  await using program = await start({}, clock);
  program.services.signups.accept = () => new Promise(() => {});
  const sleepingBefore = clock.sleeping;
  const pending = signUp(program, { source: "account", email: ANN });
  await eventually("the request waits for the database", () => clock.sleeping > sleepingBefore);
  await clock.advance(10_000);
  const response = await pending;
  assert.deepEqual([response.status, response.code], [503, "rejected"]);
});

Deno.test("a signup from another system has the fields of its form, and an invalid one is refused like those of a page", async () => {
  const fields = [{ name: "company", kind: "text", label: "Company", required: true }];
  await using program = await start({ forms: { forms: [{ name: "b2b", fields }] } });
  const body = { source: "integration", email: ANN, form: "b2b" };
  const { status, fields: errors } = await signUp(program, body);
  assert.deepEqual([status, Object.keys(errors)], [400, ["company"]]);
  assert.equal((await signUp(program, { ...body, fields: { company: "ACME", other: 1 } })).code, "pending");
  const { kv, settings } = program.services;
  const record = (await kv.get<SignupRecord>(keys.signup(ANN, settings.current().general.defaultList))).value;
  assert.deepEqual(record?.fields, { company: "ACME" });
});

Deno.test("a system that shows a consent text of its own sends it, and the proof has that text", async () => {
  await using program = await start({ form: { consent: "required", consentText: "Text of the form" } });
  const { kv, settings } = program.services;
  const textOfProof = async (email: string, body: Record<string, unknown>) => {
    assert.equal((await signUp(program, { source: "integration", email, ...body })).code, "pending");
    const list = settings.current().general.defaultList;
    const record = (await kv.get<SignupRecord>(keys.signup(email, list))).value;
    const [{ given, textHash }] = await readConsents(kv, record!) as [ConsentRow];
    return [given, (await kv.get<ConsentTextRow>(keys.consentText(textHash!))).value?.text];
  };
  const ticked = { consent: true, consentText: " Text of the comment form " };
  assert.deepEqual(await textOfProof(ANN, ticked), [true, "Text of the comment form"]);
  assert.deepEqual(await textOfProof("bo@example.com", { consent: true }), [true, "Text of the form"]);
});

Deno.test("a signup with an unusable consent text is refused, because its proof would have another text", async () => {
  await using program = await start({ form: { consentText: "Text of the form" } });
  for (const consentText of ["", " ", 7, null, "two\nlines", "x".repeat(2001)]) {
    const body = { source: "integration", email: ANN, consent: true, consentText };
    const { status, fields } = await signUp(program, body);
    assert.deepEqual([status, Object.keys(fields ?? {})], [400, ["consentText"]], String(consentText));
  }
  assert.deepEqual(await Array.fromAsync(program.services.kv.list({ prefix: keys.signupsOf(ANN) })), []);
});

Deno.test("a signup from another system keeps the page that it names and is counted there, if the form keeps pages", async () => {
  await using program = await start({
    form: { attribution: true },
    forms: { forms: [{ name: "footer" }, { name: "private", attribution: false }] },
  });
  const { kv, settings, pageCounts } = program.services;
  const page = { path: "/blog/tea", utm: { campaign: "spring" } };
  const signUpWith = async (form: string) => {
    const email = `${form}@example.com`;
    await signUp(program, { source: "integration", email, form, page: { ...page, more: "ignored" } });
    return (await kv.get<SignupRecord>(keys.signup(email, settings.current().general.defaultList))).value;
  };
  assert.deepEqual((await signUpWith("footer"))?.page, page);
  assert.equal((await signUpWith("private"))?.page, undefined);
  const totals = await pageCounts.totals(0, 1e6);
  const paths = totals.filter(({ dimension }) => dimension === "path");
  assert.deepEqual(paths.map(({ form, value, signups }) => [form, value, signups]), [[
    "footer",
    "/blog/tea",
    1,
  ]]);
});
