import assert from "node:assert/strict";
import { API_KEY, harness, SECRET } from "../../../dev/testing/harness.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { acceptsPrevious, OVERLAP_MS } from "./previous_secret.ts";
import { ADA, automationStep, checks, subscription, withAda } from "./testing/webhooks.ts";

/** The credentials of `POST provider-hook`, and the order in which errors are checked. */

const accepted: Record<string, Record<string, string>> = {
  "the API key as bearer": { authorization: `Bearer ${API_KEY}` },
  "the API key as bearer in lower case": { authorization: `bearer ${API_KEY}` },
  "the API key in X-Forwarded-Authorization": { "x-forwarded-authorization": `Bearer ${API_KEY}` },
  "the API key in X-Forwarded-Authorization beside the proxy's own Authorization": {
    authorization: "Basic cHJveHk6cHJveHk=",
    "x-forwarded-authorization": `Bearer ${API_KEY}`,
  },
  "the webhook secret": { "x-cfbe-secret": SECRET },
};
for (const [name, headers] of Object.entries(accepted)) {
  Deno.test(`both kinds of payload are authenticated by ${name}`, async () => {
    for (const payload of [subscription("subscribe"), automationStep({ email: ADA })]) {
      await using app = await withAda();
      const response = await app.hook(payload, headers);
      assert.deepEqual([response.status, await response.json()], [200, { ok: true, action: "queued" }]);
      assert.equal((await checks(app)).length, 1);
    }
  });
}

const rejected: Record<string, string>[] = [
  {},
  { authorization: "" },
  { authorization: "Bearer" },
  { authorization: "Bearer " },
  { authorization: API_KEY },
  { authorization: `Basic ${API_KEY}` },
  { authorization: `Bearer ${API_KEY}x` },
  { authorization: `Bearer ${SECRET}` },
  { "x-cfbe-secret": "" },
  { "x-cfbe-secret": API_KEY },
  { "x-cfbe-secret": SECRET.toUpperCase() },
  { "x-webhook-secret": SECRET },
];
Deno.test("any other credential gets 401, and the payload is not read", async () => {
  await using app = await withAda();
  const payloads = [subscription("subscribe"), automationStep({ email: ADA }), { type: "open" }, {}];
  for (const headers of rejected) {
    for (const [n, payload] of payloads.entries()) {
      const response = await app.hook(payload, headers, `192.0.2.${n}`);
      const { status } = response;
      assert.deepEqual([status, await response.json()], [401, { ok: false }], JSON.stringify(headers));
    }
  }
  assert.deepEqual(await checks(app), []);
  assert.deepEqual(app.webhookEvents, []);
});

Deno.test("a key with spaces, and the key of CFBE_PROVIDER_API_KEY while the sandbox is chosen, authenticate webhooks", async () => {
  const key = "a key of one's own";
  await using program = await startProgram({ env: { CFBE_PROVIDER_API_KEY: key } });
  assert.equal(program.services.settings.current().general.provider, "sandbox");
  const send = (authorization: string) =>
    fetch(`${program.api}/provider-hook`, {
      method: "POST",
      headers: { authorization },
      body: JSON.stringify(subscription("subscribe")),
    });
  const answered = await send(`Bearer ${key}`);
  assert.deepEqual([answered.status, await answered.json()], [200, { ok: true, action: "ignored" }]);
  for (const wrong of [`Bearer ${key}x`, "Bearer a key of", `Bearer ${key.toUpperCase()}`]) {
    const refused = await send(wrong);
    assert.deepEqual([refused.status, await refused.json()], [401, { ok: false }], wrong);
  }
});

Deno.test("a key and a secret that are not set match no credential, not even an empty one", async () => {
  await using app = await harness({ configured: false });
  for (const headers of [...rejected, ...Object.values(accepted), { authorization: "Bearer undefined" }]) {
    assert.equal((await app.hook({ type: "open" }, headers)).status, 401, JSON.stringify(headers));
  }
});

Deno.test("a previous secret is accepted until its end, for no more than a day, and never an empty one", () => {
  const now = Date.UTC(2026, 0, 1);
  const accepts = (inMs: number, previousSecret = "the earlier secret") =>
    acceptsPrevious({ previousSecret, previousUntil: now + inMs }, now);
  const times = [-1, 0, 1, OVERLAP_MS, 24 * 60 * 60_000, 365 * OVERLAP_MS];
  assert.deepEqual(times.map((inMs) => accepts(inMs)), [false, false, true, true, true, false]);
  assert.equal(accepts(1, ""), false);
});

Deno.test("if several errors apply, the response is the first of 429, 401, 413, 400", async () => {
  await using app = await harness();
  const large = "x".repeat(64 * 1024 + 1);
  const status = async (payload: string, headers?: Record<string, string>) =>
    (await app.hook(payload, headers)).status;
  assert.equal(await status(large, {}), 401);
  assert.equal(await status(large), 413);
  assert.equal(await status(large.slice(1)), 400);
  for (let i = 3; i < 60; i++) assert.equal(await status("", {}), 401);
  assert.equal(await status(large, {}), 429);
});
