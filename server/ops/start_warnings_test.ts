import assert from "node:assert/strict";
import { parseConfig } from "../config.ts";
import { environmentLayer, overlay } from "../settings/precedence.ts";
import { SettingsSchema } from "../settings/schema.ts";
import { startWarnings } from "./start_warnings.ts";
import { PROVIDERS } from "../provider/providers.ts";

function startWith(env: Record<string, string>, general: Record<string, string> = {}) {
  const config = parseConfig(env, PROVIDERS);
  return startWarnings(config, SettingsSchema.parse(overlay({ general }, environmentLayer(config))));
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
