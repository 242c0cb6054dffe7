import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { integrationSignup, startWithIntegrations } from "../testing/integration_signup.ts";
import { isDisposable } from "./disposable.ts";

const AT_MAILINATOR = "ada@mailinator.com";

Deno.test("addresses of listed domains and of their subdomains are disposable, and no others", async () => {
  for (
    const email of [AT_MAILINATOR, "ada@inbox.mailinator.com", "ada@yopmail.com", "ada@guerrillamail.com"]
  ) {
    assert.equal(await isDisposable(email), true, email);
  }
  for (
    const domain of [
      ...["gmail.com", "googlemail.com", "outlook.com", "yahoo.com", "icloud.com", "proton.me", "pm.me"],
      ...["gmx.net", "web.de", "orange.fr", "example.com", "xmailinator.com", "mailinator.com.example"],
      ...["fastmail.com", "duck.com", "privaterelay.appleid.com", "mozmail.com", "xn--mller-kva.example"],
    ]
  ) {
    assert.equal(await isDisposable(`ada@${domain}`), false, domain);
  }
});

Deno.test("a signup with a disposable address is accepted with the usual response, tagged and counted", async () => {
  await using app = await harness();
  const usual = await app.post({ email: "ada@example.com" });
  const response = await app.post({ email: "ADA@Mailinator.com " });
  assert.deepEqual([response.status, await response.json()], [usual.status, await usual.json()]);
  assert.deepEqual((await app.record(AT_MAILINATOR))?.tags, ["disposable"]);
  assert.deepEqual((await app.record("ada@example.com"))?.tags, []);
  await app.work();
  assert.deepEqual(app.provider.mails.toSorted(), ["ada@example.com", AT_MAILINATOR]);
  const totals = await app.services.counters.totals();
  assert.deepEqual([totals["accepted"], totals["note.disposable"]], [2, 1]);
});

Deno.test("if the settings refuse disposable addresses, they get the response of invalid ones, and are counted", async () => {
  await using app = await harness({ settings: { form: { disposableAddresses: "refuse" } } });
  const invalid = await app.post({ email: "ada" });
  const response = await app.post({ email: AT_MAILINATOR });
  const body = await response.json();
  assert.deepEqual([response.status, body], [invalid.status, await invalid.json()]);
  assert.equal(body.fields.email, en.form.invalidEmail);
  assert.equal(await app.record(AT_MAILINATOR), null);
  assert.equal((await app.post({ email: "ada@example.com" })).status, 200);
  const totals = await app.services.counters.totals();
  assert.deepEqual(
    [totals["accepted"], totals["invalid.fields"], totals["note.invalid.email"], totals["note.disposable"]],
    [1, 2, 2, 1],
  );
});

Deno.test("a disposable address that is over a limit is limited and not counted as disposable", async () => {
  await using app = await harness();
  for (let i = 0; i < 3; i++) await app.post({ email: AT_MAILINATOR });
  assert.equal((await app.post({ email: AT_MAILINATOR })).status, 429);
  assert.equal((await app.services.counters.totals())["note.disposable"], 3);
});

Deno.test("a signup that one's own server sends is never refused for its disposable address, but tagged and counted", async () => {
  await using program = await startWithIntegrations({ form: { disposableAddresses: "refuse" } });
  const answer = await integrationSignup(program, { source: "integration", email: AT_MAILINATOR });
  assert.equal(answer.code, "pending");
  const { counters } = program.services;
  assert.equal((await counters.totals())["note.disposable"], 1);
});
