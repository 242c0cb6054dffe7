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
const warned = (...given: Parameters<typeof startWith>) => startWith(...given).map(({ event }) => event);

Deno.test("a start warns of a public address without https, of the sandbox there, and of a provider without key or project", () => {
  const bluefox = { CFBE_PROVIDER: "bluefox" };
  const https = { CFBE_BASE_URL: "https://news.example" };
  const http = { CFBE_BASE_URL: "http://news.example" };
  const known = { projectId: "p", apiKey: "k" };
  assert.deepEqual(warned({}), []);
  assert.deepEqual(warned({ ...bluefox, ...https }, known), []);
  assert.deepEqual(warned(http), ["address.http", "sandbox.public"]);
  assert.deepEqual(warned({ ...bluefox, ...http }, known), ["address.http"]);
  assert.deepEqual(warned(https), ["sandbox.public"]);
  assert.deepEqual(warned({ ...bluefox, ...https }, { projectId: "p" }), ["provider.not_configured"]);
  const [nothing] = startWith({ ...bluefox, ...https });
  assert.match(nothing!.message, /set CFBE_PROVIDER_PROJECT and CFBE_PROVIDER_API_KEY, or/);
});
