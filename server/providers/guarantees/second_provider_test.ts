import assert from "node:assert/strict";
import { createKeyring } from "../../platform/keys/keyring.ts";
import { keys } from "../../platform/kv/keys.ts";
import { registerWebhook } from "../../operations/provider/webhook.ts";
import { unreadableSecrets } from "../../settings/store/sealed_settings.ts";
import type { TabRow } from "../../settings/store/tab_rows.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { systemClock } from "../../platform/deps.ts";
import { PROVIDERS } from "../providers.ts";
import { CREATED_SECRET, createPostbox, postboxSignature, SIGNATURE } from "../testing/postbox.ts";

/** Tests that a second provider needs only an entry in the table of providers. */

const TOKEN = "postbox-token-nobody-may-read-0042";
const SIGNING = "postbox-signing-secret-nobody-may-read";
const API_TOKEN = "the-api-token-of-tests";
const ADA = "ada@example.com";

async function withPostbox(env: Record<string, string> = {}) {
  const postbox = createPostbox(systemClock);
  const program = await startProgram({
    env: { CFBE_API_TOKEN: API_TOKEN, ...env },
    providers: { ...PROVIDERS, postbox: postbox.module },
  });
  const { admin } = program.services;
  await admin.users.add({ name: "ann", role: "admin", password: "long enough for me" });
  const cookie = `cfbe=${await admin.sessions.open((await admin.users.find("ann"))!)}`;
  return {
    program,
    postbox,
    async providerPage() {
      return await (await fetch(`${program.baseUrl}/admin/provider`, { headers: { cookie } })).text();
    },
    async save(fields: Record<string, unknown>) {
      const response = await fetch(`${program.baseUrl}/admin/ajax`, {
        method: "POST",
        headers: { authorization: `Bearer ${API_TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify({ action: "cfbe_save_general", fields }),
      });
      return { status: response.status, ...await response.json() };
    },
    async hook(body: string, headers: Record<string, string> = {}) {
      const response = await fetch(`${program.api}/provider-hook`, { method: "POST", headers, body });
      return [response.status, await response.json()];
    },
    async status() {
      const { kv } = program.services;
      return (await kv.get<SignupRecord>(keys.signup(ADA, "news"))).value?.status;
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

/** Chooses Postbox and enters its settings. */
async function connected() {
  const app = await withPostbox();
  await app.save({ provider: "postbox" });
  const { status } = await app.save({
    postboxToken: TOKEN,
    postboxSigningSecret: SIGNING,
    defaultList: "news",
  });
  assert.equal(status, 200);
  return app;
}

Deno.test("the Provider page offers every provider, and shows only the settings of the chosen one", async () => {
  await using app = await withPostbox();
  const before = await app.providerPage();
  for (const title of ["BlueFox Email", "Postbox"]) assert.match(before, new RegExp(`<h3>${title}`));
  assert.doesNotMatch(before, /name="fields\.(projectId|postbox\w+)"/);

  assert.equal((await app.save({ provider: "postbox" })).status, 200);
  const after = await app.providerPage();
  assert.match(after, /name="fields\.postboxToken"/);
  assert.match(after, /name="fields\.postboxRegion"/);
  assert.doesNotMatch(after, /name="fields\.(projectId|apiKey)"/);
  assert.equal((await app.save({ provider: "carrier-pigeon" })).status, 422);
});

Deno.test("the Provider page says how the chosen provider was tested, and what cfbe cannot do with it", async () => {
  await using app = await connected();
  const html = await app.providerPage();
  assert.match(
    html,
    /Tested against recorded responses of Postbox, not with a real account \(2025-01-01\)\./,
  );
  const settings = html.slice(html.indexOf('id="step-settings"'), html.indexOf('id="step-connection"'));
  assert.deepEqual(settings.match(/<li>It cannot [^<]*/g), [
    "<li>It cannot resubscribe somebody who unsubscribed.",
  ]);
});

Deno.test("the settings of a provider are validated, and its secrets are encrypted, masked and never shown", async () => {
  await using app = await connected();
  const { kv, random } = app.program.services;
  const row = (await kv.get<TabRow>(keys.settings("general"))).value!;
  assert.doesNotMatch(JSON.stringify(row), /nobody-may-read/);
  const html = await app.providerPage();
  assert.match(html, /••••0042/);
  assert.doesNotMatch(html, /nobody-may-read/);
  const refused = await app.save({ postboxRegion: "x".repeat(201) });
  assert.deepEqual([refused.status, refused.fields], [422, {
    "fields.postboxRegion": "Must be 200 characters or less.",
  }]);
  await app.save({ postboxToken: "", postboxRegion: "eu" });
  assert.equal(app.program.services.settings.apiKey(), TOKEN, "an empty secret keeps the stored one");
  app.program.log.warn("remote.says", { message: `wrong: ${TOKEN}` });
  assert.doesNotMatch(app.program.lines.join("\n"), /nobody-may-read/);
  const otherSalt = {
    kv,
    random,
    clock: systemClock,
    keyring: createKeyring(["another salt, long enough to be one"]),
  };
  const providers = app.program.services.settings.providers;
  assert.deepEqual(await unreadableSecrets({ ...otherSalt, providers }), [
    "general.postboxToken",
    "general.postboxSigningSecret",
  ]);
});

Deno.test("signups go to the chosen provider as soon as it is saved, and are rejected until its key is set", async () => {
  await using app = await withPostbox();
  await app.save({ provider: "postbox" });
  const early = await app.program.subscribe({ email: ADA });
  assert.equal((await early.json()).code, "rejected", "the sandbox is no longer used");
  await app.save({ postboxToken: TOKEN, defaultList: "news" });
  const later = await app.program.subscribe({ email: ADA });
  assert.equal((await later.json()).code, "pending");
  await app.program.runner.idle();
  assert.deepEqual(app.postbox.account.mails, [ADA]);
  assert.deepEqual([...app.postbox.tokens], [TOKEN]);
  assert.equal(await app.status(), "pending");
});

Deno.test("the chosen provider's signed webhooks confirm signups, and a wrong signature is refused", async () => {
  await using app = await connected();
  await (await app.program.subscribe({ email: ADA })).body?.cancel();
  await app.program.runner.idle();
  app.postbox.account.put("news", ADA, "active");
  const body = new URLSearchParams({ type: "confirmed", email: ADA }).toString();
  const signed = { [SIGNATURE]: postboxSignature(body, SIGNING) };

  for (const headers of [{}, { [SIGNATURE]: "" }, { [SIGNATURE]: postboxSignature(body, "") }]) {
    assert.deepEqual(await app.hook(body, headers), [401, { ok: false }]);
  }
  assert.deepEqual(await app.hook(`${body}&more=1`, signed), [401, { ok: false }]);
  assert.deepEqual(await app.hook(body, signed), [200, { ok: true, action: "queued" }]);
  await app.program.runner.idle();
  assert.equal(await app.status(), "active");

  for (const method of ["GET", "HEAD"]) {
    const probe = await fetch(`${app.program.api}/provider-hook`, { method });
    await probe.body?.cancel();
    assert.equal(probe.status, 200, `${method} of a provider that probes the URL`);
  }
  const bearer = { authorization: `Bearer ${TOKEN}` };
  assert.deepEqual(await app.hook(body, bearer), [200, { ok: true, action: "queued" }]);
  assert.deepEqual(await app.hook("type=confirmed", bearer), [400, { ok: false }]);
  assert.deepEqual(await app.hook("x".repeat(64 * 1024 + 1)), [413, { ok: false }]);
});

Deno.test("a signing secret that the provider creates at registration is stored encrypted and never shown", async () => {
  await using app = await connected();
  const { services } = app.program;
  // A webhook can't be registered for a loopback URL, so this pretends to have a public one.
  const published = { ...services, config: { ...services.config, baseUrl: "https://news.example" } };
  const result = await registerWebhook(published);
  assert.equal(result.kind, "registered");
  assert.doesNotMatch(JSON.stringify(result), /nobody-may-read/);
  const row = (await services.kv.get<TabRow>(keys.settings("general"))).value!;
  assert.doesNotMatch(JSON.stringify(row), /nobody-may-read/);
  const body = new URLSearchParams({ type: "confirmed", email: ADA }).toString();
  const signed = { [SIGNATURE]: postboxSignature(body, CREATED_SECRET) };
  assert.deepEqual(await app.hook(body, signed), [200, { ok: true, action: "ignored" }]);
});

Deno.test("the environment overrides the saved provider and key, and the Provider page says so", async () => {
  await using app = await withPostbox({ CFBE_PROVIDER: "postbox", CFBE_PROVIDER_API_KEY: TOKEN });
  const { settings } = app.program.services;
  assert.deepEqual([settings.current().general.provider, settings.apiKey()], ["postbox", TOKEN]);
  assert.equal(app.program.sandbox, undefined);
  const html = await app.providerPage();
  assert.match(html, /The provider is set by CFBE_PROVIDER\./);
  assert.match(html, /Set by CFBE_PROVIDER_API_KEY/);
  const { status, fields } = await app.save({ provider: "bluefox", postboxToken: "mine" });
  assert.equal(status, 422);
  assert.match(fields["fields.provider"], /^Set by CFBE_PROVIDER\./);
  assert.match(fields["fields.postboxToken"], /^Set by CFBE_PROVIDER_API_KEY/);
});
