import assert from "node:assert/strict";
import { environmentLayer, readEnvironment } from "../../settings/store/environment.ts";
import { overlay } from "../../settings/store/precedence.ts";
import { SettingsSchema } from "../../settings/schema/schema.ts";
import { startWarnings } from "./start_warnings.ts";

function startWith(env: Record<string, string>, general: Record<string, string> = {}) {
  const config = readEnvironment(env);
  return startWarnings(config, SettingsSchema.parse(overlay({ general }, environmentLayer(config))), env);
}
const eventsOf = (...args: Parameters<typeof startWith>) => startWith(...args).map(({ event }) => event);

Deno.test("at start, cfbe warns about a public URL without https, a public sandbox, and a provider without key or project", () => {
  const bluefox = { CFBE_PROVIDER: "bluefox" };
  const https = { CFBE_BASE_URL: "https://news.example" };
  const http = { CFBE_BASE_URL: "http://news.example" };
  const known = { projectId: "p", apiKey: "k" };
  assert.deepEqual(eventsOf({}), []);
  assert.deepEqual(eventsOf({ ...bluefox, ...https }, known), []);
  assert.deepEqual(eventsOf(http), ["address.http", "sandbox.public"]);
  assert.deepEqual(eventsOf({ ...bluefox, ...http }, known), ["address.http"]);
  assert.deepEqual(eventsOf(https), ["sandbox.public"]);
  assert.deepEqual(eventsOf({ ...bluefox, ...https }, { projectId: "p" }), ["provider.not_configured"]);
  const [warning] = startWith({ ...bluefox, ...https });
  assert.match(warning!.message, /set CFBE_PROVIDER_PROJECT and CFBE_PROVIDER_API_KEY, or/);
});

Deno.test("at start, cfbe warns about a provider's URL with credentials, a query string or another scheme, without repeating it", () => {
  const listmonk = { CFBE_PROVIDER: "listmonk", CFBE_BASE_URL: "https://news.example" };
  const known = { listmonkToken: "cfbe:t" };
  for (
    const url of ["https://ann:secret@lists.example", "https://lists.example?key=secret", "file:///secret"]
  ) {
    const warnings = startWith(listmonk, { ...known, listmonkUrl: url });
    assert.deepEqual(warnings.map(({ event }) => event), ["provider.unsafe_url"], url);
    assert.ok(!warnings[0]!.message.includes("secret"));
  }
  assert.deepEqual(eventsOf(listmonk, { ...known, listmonkUrl: "https://lists.example/news" }), []);
});

Deno.test("at start, cfbe warns about addresses in traces by the provider in use, wherever it was chosen", () => {
  const deploy = {
    DENO_DEPLOY: "1",
    CFBE_SALT: "a salt of at least 32 characters, for tests",
    CFBE_API_TOKEN: "a-token-for-tests-of-32-characters",
    CFBE_BASE_URL: "https://news.example",
  };
  const chosen = { provider: "bluefox", projectId: "p", apiKey: "k" };
  assert.deepEqual(eventsOf(deploy, chosen), ["telemetry.contains_addresses"]);
  assert.deepEqual(eventsOf(deploy), ["sandbox.public"]);
  assert.deepEqual(eventsOf({ OTEL_DENO: "true" }), ["telemetry.contains_addresses"]);
});
