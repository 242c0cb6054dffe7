import assert from "node:assert/strict";
import { keys } from "../../../platform/kv/keys.ts";
import type { ConsentRow, SignupRecord } from "../../../signup/record/row.ts";
import { eventually } from "../../../../dev/testing/eventually.ts";
import { MINUTE_MS, startCheckout, statusAndBody } from "../testing/checkout.ts";

const ANN = "ann@example.com";
const ACCEPTED = [200, { ok: true, action: "accepted" }];

Deno.test("an opt-in signs the buyer up like any source: with its list, consent text and mailbox limit", async () => {
  await using checkout = await startCheckout({ checkout: { label: "Send me news" } });
  const { services } = checkout.program;
  const { defaultList, knownLists } = services.settings.current().general;
  const list = knownLists.find(({ id }) => id !== defaultList)!.id;
  await services.settings.save("checkout", { list });
  await statusAndBody(
    checkout.order({ email: "Ann@Example.com", optIn: true, locale: "de", ip: "198.51.100.7" }),
  );
  const record = async () => (await services.kv.get<SignupRecord>(keys.signup(ANN, list))).value;
  await eventually("the signup is active", async () => (await record())?.status === "active");
  assert.equal((await record())!.source, "checkout");
  const rows = await Array.fromAsync(services.kv.list<ConsentRow>({ prefix: keys.consentsOf(ANN, list) }));
  const { given, textHash, locale, ip, source } = rows[0]!.value;
  assert.deepEqual({ given, locale, ip, source }, {
    given: true,
    locale: "de",
    ip: "198.51.100.7",
    source: "checkout",
  });
  const text = await services.kv.get<{ text: string }>(keys.consentText(textHash!));
  assert.equal(text.value!.text, "Send me news");

  // The limit is three signups per hour. A fourth order is acknowledged anyway.
  for (let i = 2; i <= 4; i++) {
    assert.deepEqual(await statusAndBody(checkout.order({ email: ANN, optIn: true })), ACCEPTED);
  }
  await checkout.runFor(MINUTE_MS);
  const counters = await services.counters.totals();
  assert.deepEqual([counters["accepted"], counters["rate_limited.mailbox"]], [3, 1]);
  assert.equal(checkout.program.lines.filter((line) => line.includes("checkout_signup.rejected")).length, 1);
});

Deno.test("the consent record has the text that the shop showed, whatever the label in the settings is", async () => {
  await using checkout = await startCheckout({ checkout: { label: "Send me news" } });
  const { services } = checkout.program;
  await statusAndBody(checkout.order({ email: ANN, optIn: true, optInText: "Ja, schickt mir Post" }));
  const rows = () => Array.fromAsync(services.kv.list<ConsentRow>({ prefix: keys.consentsOf(ANN, list) }));
  const list = services.settings.current().general.defaultList;
  await eventually("the signup is stored", async () => (await rows()).length === 1);
  const text = await services.kv.get<{ text: string }>(
    keys.consentText((await rows())[0]!.value.textHash!),
  );
  assert.equal(text.value!.text, "Ja, schickt mir Post");
});

Deno.test("with the module off or the box not ticked, an order signs nobody up", async () => {
  for (const [module, optIn] of [[false, true], [true, false], [true, undefined]] as const) {
    await using checkout = await startCheckout({ general: { modules: { checkout: module } } });
    assert.deepEqual(await statusAndBody(checkout.order({ email: ANN, optIn })), ACCEPTED);
    await checkout.runFor(MINUTE_MS);
    const { kv } = checkout.program.services;
    assert.deepEqual(await Array.fromAsync(kv.list({ prefix: keys.signupsOf(ANN) })), []);
    const ignored = checkout.program.lines.some((line) => line.includes("order.opt_in_ignored"));
    assert.equal(ignored, optIn === true);
  }
});
