import assert from "node:assert/strict";
import { harness } from "../../../dev/testing/harness.ts";
import { NAMESPACE } from "../../../shared/contract.ts";

/** The order of the checks of `subscribe` (decision 10): of several errors, the first decides. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SHOP = "https://shop.example";
const LIMITED_IP = "198.51.100.1";
const FULL_MAILBOX = "ada@example.com";

Deno.test("if several errors apply, the response is that of the first check: size, JSON, source, bots and origin, IP, fields, active, site, mailbox", async () => {
  await using app = await harness({ settings: { general: { origins: [SHOP] } } });
  // A mailbox over its limit, a site over its limit, and an IP over its limit, all at the same time.
  for (let i = 0; i < 3; i++) await app.post({ email: FULL_MAILBOX }, { peer: `192.0.2.${i}` });
  for (let i = 0; i < 27; i++) await app.post({ email: `a${i}@example.com` }, { peer: `192.0.2.${100 + i}` });
  for (let i = 0; i < 5; i++) await app.post({ email: "nobody" }, { peer: LIMITED_IP });
  await app.services.activation.deactivate();

  const token = app.token();
  let body: Record<string, unknown> | string = "x".repeat(4097);
  let headers: Record<string, string> = { origin: "https://foreign.example" };
  let peer = LIMITED_IP;
  const counted = async () => await app.services.counters.totals();
  async function expectEntry(entry: string, status: number, code: string) {
    const before = (await counted())[entry] ?? 0;
    const sent = typeof body === "string" ? body : JSON.stringify(body);
    const init = { method: "POST", headers, body: sent };
    const response = await app.fetch(`${NAMESPACE}/subscribe`, init, peer);
    assert.deepEqual([response.status, (await response.json()).code], [status, code], entry);
    assert.equal((await counted())[entry], before + 1, `counted as ${entry}`);
  }

  await expectEntry("invalid.too_large", 413, "invalid");
  body = "[]";
  headers = { ...headers, "content-type": "application/json" };
  await expectEntry("invalid.not_json", 400, "invalid");
  body = { source: "mail", email: "nobody", cfbe_hp: "spam" };
  await expectEntry("invalid.source", 400, "invalid");
  body["source"] = "block";
  await expectEntry("dropped.origin", 200, "pending");
  headers["origin"] = SHOP;
  await expectEntry("dropped.honeypot", 200, "pending");
  body["cfbe_hp"] = "";
  await expectEntry("dropped.token_missing", 200, "pending");
  body["cfbe_token"] = token;
  await expectEntry("rate_limited.ip", 429, "rate_limited");
  peer = "192.0.2.200";
  await expectEntry("invalid.fields", 400, "invalid");
  body["email"] = FULL_MAILBOX;
  await expectEntry("rejected.not_configured", 503, "rejected");
  await app.services.activation.activate();
  await expectEntry("rate_limited.site", 429, "rate_limited");
  await app.clock.advance(MINUTE);
  await expectEntry("rate_limited.mailbox", 429, "rate_limited");
  await app.clock.advance(HOUR);
  await expectEntry("accepted", 200, "pending");
});

Deno.test("a member of another type is invalid, dropped or ignored, and never an error", async () => {
  await using app = await harness({ settings: { form: { nameField: "optional" } } });
  const wrong = [1, true, [], {}, null];
  const statuses: Record<string, number[]> = {};
  let peers = 0;
  for (const member of ["email", "name", "interests", "consent", "cfbe_cfg", "cfbe_hp", "cfbe_token"]) {
    statuses[member] = [];
    for (const value of wrong) {
      const body = { email: `ada${peers}@example.com`, [member]: value };
      const response = await app.post(body, { peer: `203.0.113.${peers++}` });
      statuses[member].push(response.status);
      await response.body?.cancel();
      await app.clock.advance(3_000);
    }
  }
  const allOk = wrong.map(() => 200);
  assert.deepEqual(statuses, {
    email: wrong.map(() => 400),
    name: [400, 400, 400, 400, 200],
    interests: [400, 400, 200, 400, 200],
    consent: allOk,
    cfbe_cfg: allOk,
    cfbe_hp: allOk,
    cfbe_token: allOk,
  });
  const entries = await app.services.counters.totals();
  assert.equal(entries["dropped.honeypot"], 4, "any value but an empty string or null is a filled honeypot");
  assert.equal(entries["dropped.token_missing"], 1);
  assert.equal(entries["dropped.token_malformed"], 4);
});
