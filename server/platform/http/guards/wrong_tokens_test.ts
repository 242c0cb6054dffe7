import assert from "node:assert/strict";
import { type AdminHarness, adminHarness } from "../../../../dev/testing/admin_harness.ts";

const MINUTE = 60_000;
const RIGHT = "the-api-token-of-tests";

async function statusOf(app: AdminHarness, token: string, peer: string, path = "/ops/counts", headers = {}) {
  const response = await app.fetch(path, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: "{}",
  }, peer);
  await response.body?.cancel();
  return response.status;
}

async function wrongFrom(app: AdminHarness, peer: string, path?: string) {
  for (let i = 0; i < 31; i++) assert.equal(await statusOf(app, `guess-${i}-of-the-token`, peer, path), 401);
}

const PATHS = [
  "/ops/counts",
  "/integrations/signup",
  "/admin/ajax?action=cfbe_activate",
  "/admin/upload?action=cfbe_import_form",
  "/admin/preview?action=cfbe_save_form",
];

for (const path of PATHS) {
  Deno.test(`after 30 wrong tokens in 10 minutes from one IP, ${path} refuses its next guess, even a right one`, async () => {
    await using app = await adminHarness();
    await wrongFrom(app, "192.0.2.7", path);
    assert.equal(await statusOf(app, "another-guess-of-it", "192.0.2.7", path), 429);
    assert.equal(await statusOf(app, RIGHT, "192.0.2.7", "/ops/counts"), 429);
    assert.equal(await statusOf(app, RIGHT, "192.0.2.8"), 200, "others are not affected");
    await app.clock.advance(10 * MINUTE);
    assert.equal(await statusOf(app, RIGHT, "192.0.2.7"), 200);
  });
}

Deno.test("right tokens, requests without one, and the command line on this machine are not limited", async () => {
  await using app = await adminHarness();
  for (let i = 0; i < 40; i++) {
    assert.equal(await statusOf(app, RIGHT, "192.0.2.7"), 200);
    const without = await app.fetch("/ops/counts", {}, "192.0.2.7");
    await without.body?.cancel();
    assert.equal(without.status, 401);
    assert.equal(
      await statusOf(app, "a-wrong-one", "127.0.0.1", "/ops/counts", { host: "127.0.0.1:8000" }),
      401,
    );
  }
  assert.equal(await statusOf(app, RIGHT, "192.0.2.7"), 200);
  assert.equal(await statusOf(app, RIGHT, "127.0.0.1", "/ops/counts", { host: "127.0.0.1:8000" }), 200);
});

Deno.test("with a public URL, guesses that look as from this machine are limited too, as a proxy may have passed them on", async () => {
  await using app = await adminHarness({ env: { CFBE_BASE_URL: "https://news.example" } });
  // What nginx sends with `proxy_pass` alone.
  const bare = { host: "127.0.0.1:8000" };
  const from = (token: string) => statusOf(app, token, "127.0.0.1", "/ops/counts", bare);
  for (let i = 0; i < 100; i++) assert.equal(await from(RIGHT), 200, "the command line uses up nothing");
  for (let i = 0; i < 31; i++) assert.equal(await from(`guess-${i}-of-the-token`), 401);
  assert.equal(await from("another-guess-of-it"), 429);
  assert.equal(await statusOf(app, RIGHT, "192.0.2.7"), 200, "others are not affected");
});

Deno.test("guesses at the proof of the command line are limited like wrong tokens", async () => {
  await using app = await adminHarness();
  const guess = async () => {
    const body = JSON.stringify({
      nonce: "a-nonce-of-22-letters-",
      at: "http://localhost:8000",
      proof: "guess",
    });
    const response = await app.fetch("/ops/proof", { method: "POST", body }, "192.0.2.7");
    await response.body?.cancel();
    return response.status;
  };
  for (let i = 0; i < 31; i++) assert.equal(await guess(), 401);
  assert.equal(await guess(), 429);
});

Deno.test("wrong tokens are in the audit log with their number and IP, without the token", async () => {
  await using app = await adminHarness();
  await wrongFrom(app, "192.0.2.7");
  const { rows } = await app.services.admin.audit.list();
  assert.deepEqual(rows.map(({ who, action, result, count, ip }) => [who, action, result, count, ip]), [
    ["someone with a wrong API token", "cfbe_api_request", "refused", 30, "192.0.2.7"],
  ]);
  assert.doesNotMatch(await app.dump(), /guess-/);
});

Deno.test("a response does not tell an unknown token from a revoked or expired one, or one with a wrong secret", async () => {
  await using app = await adminHarness();
  const { apiTokens } = app.services;
  const add = async (name: string, expiresAt?: number) => {
    const added = await apiTokens.add({
      name,
      scopes: ["read"],
      by: "ann",
      ...(expiresAt !== undefined && { expiresAt }),
    });
    assert(typeof added === "object");
    return added;
  };
  const [live, revoked, expired] = [await add("live"), await add("revoked"), await add("expired", 1)];
  await apiTokens.revoke(revoked.id);
  const answers = new Set<string>();
  for (
    const token of [
      "unknown",
      revoked.token,
      expired.token,
      `${live.token.slice(0, -43)}${"x".repeat(43)}`,
      live.token.replace(live.id, revoked.id),
    ]
  ) {
    const response = await app.fetch("/ops/counts", { headers: { authorization: `Bearer ${token}` } });
    const headers = [...response.headers].filter(([name]) => name !== "x-request-id");
    answers.add(JSON.stringify([response.status, headers, await response.text()]));
  }
  assert.equal(answers.size, 1, [...answers].join("\n"));
});
