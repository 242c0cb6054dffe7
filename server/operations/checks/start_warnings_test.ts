import assert from "node:assert/strict";
import { environmentLayer, readEnvironment } from "../../settings/store/environment.ts";
import { overlay } from "../../settings/store/precedence.ts";
import { SettingsSchema } from "../../settings/schema/schema.ts";
import { PROVIDERS } from "../../providers/providers.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { logStartWarnings } from "./start_warnings.ts";
import { problemsIn } from "./registry.ts";

function startWith(environment: Record<string, string>, general: Record<string, string> = {}) {
  const config = readEnvironment(environment);
  const settings = SettingsSchema.parse(overlay({ general }, environmentLayer(config)));
  return problemsIn({ config, environment, settings, providers: PROVIDERS }, ({ start }) => start);
}
const idsOf = (...args: Parameters<typeof startWith>) => startWith(...args).map(({ id }) => id);

Deno.test("at start, cfbe warns about a public URL without https, a public sandbox, and a provider without key or project", () => {
  const bluefox = { CFBE_PROVIDER: "bluefox" };
  const https = { CFBE_BASE_URL: "https://news.example" };
  const http = { CFBE_BASE_URL: "http://news.example" };
  const known = { projectId: "p", apiKey: "k" };
  assert.deepEqual(idsOf({}), []);
  assert.deepEqual(idsOf({ ...bluefox, ...https }, known), []);
  assert.deepEqual(idsOf(http), ["sandbox.public", "address.http"]);
  assert.deepEqual(idsOf({ ...bluefox, ...http }, known), ["address.http"]);
  assert.deepEqual(idsOf(https), ["sandbox.public"]);
  assert.deepEqual(idsOf({ ...bluefox, ...https }, { projectId: "p" }), ["provider.not_configured"]);
  const [warning] = startWith({ ...bluefox, ...https });
  assert.match(warning!.todo, /set CFBE_PROVIDER_PROJECT and CFBE_PROVIDER_API_KEY\./);
});

Deno.test("at start, cfbe warns about variables that have no effect, because the one is missing that they belong to", () => {
  const backups = { CFBE_BACKUP_HOURS: "3", CFBE_BACKUP_KEEP: "20" };
  const signIn = { CFBE_OIDC_CLIENT_ID: "cfbe" };
  const empty = { CFBE_OIDC_NAME: "" };
  assert.deepEqual(
    startWith({ ...backups, ...signIn, ...empty }).map(({ id, what, todo }) => [id, `${what} ${todo}`]),
    [
      "CFBE_BACKUP_HOURS and CFBE_BACKUP_KEEP have no effect without CFBE_BACKUP_DIR. Set CFBE_BACKUP_DIR, or remove them.",
      "CFBE_OIDC_CLIENT_ID has no effect without CFBE_OIDC_ISSUER. Set CFBE_OIDC_ISSUER, or remove it.",
    ].map((text) => ["environment.no_effect", text]),
  );
  assert.deepEqual(idsOf({ ...backups, CFBE_BACKUP_DIR: "backups" }), []);
});

Deno.test("at start, cfbe warns about a salt that begins or ends with white space, which is part of it", () => {
  const salt = "a salt, that is long enough to be one";
  assert.deepEqual(idsOf({ CFBE_SALT: salt }), []);
  for (const ends of [`${salt}\n`, ` ${salt}`]) {
    const [warning, ...others] = startWith({ CFBE_SALT: ends });
    assert.deepEqual([warning!.id, others], ["environment.salt_ends", []]);
    assert.ok(!JSON.stringify(warning).includes("long enough"));
  }
});

Deno.test("at start, cfbe warns about a provider's URL with credentials, a query string or another scheme, without repeating it", () => {
  const listmonk = { CFBE_PROVIDER: "listmonk", CFBE_BASE_URL: "https://news.example" };
  const known = { listmonkToken: "cfbe:t" };
  for (
    const url of ["https://ann:secret@lists.example", "https://lists.example?key=secret", "file:///secret"]
  ) {
    const warnings = startWith(listmonk, { ...known, listmonkUrl: url });
    assert.deepEqual(warnings.map(({ id }) => id), ["provider.unsafe_url"], url);
    assert.ok(!JSON.stringify(warnings).includes("secret"));
  }
  assert.deepEqual(idsOf(listmonk, { ...known, listmonkUrl: "https://lists.example/news" }), []);
});

Deno.test("at start, cfbe warns about a page after confirmation that is not the URL of a page", () => {
  const brevo = { CFBE_PROVIDER: "brevo", CFBE_BASE_URL: "https://news.example" };
  const known = { brevoApiKey: "xkeysib-t", brevoTemplate: "7" };
  const idsFor = (brevoThanksUrl: string) => idsOf(brevo, { ...known, brevoThanksUrl });
  assert.deepEqual(idsFor("javascript:alert(1)"), ["provider.unsafe_url"]);
  assert.deepEqual(idsFor("https://news.example/?page_id=7#done"), []);
});

Deno.test("at start, cfbe warns about addresses in traces by the provider in use, wherever it was chosen", () => {
  const deploy = {
    DENO_DEPLOY: "1",
    CFBE_SALT: "a salt of at least 32 characters, for tests",
    CFBE_API_TOKEN: "a-token-for-tests-of-32-characters",
    CFBE_BASE_URL: "https://news.example",
  };
  const chosen = { provider: "bluefox", projectId: "p", apiKey: "k" };
  assert.deepEqual(idsOf(deploy, chosen), ["telemetry.contains_addresses"]);
  assert.deepEqual(idsOf(deploy), ["sandbox.public"]);
  assert.deepEqual(idsOf({ OTEL_DENO: "true" }), ["telemetry.contains_addresses"]);
});

Deno.test("at start, cfbe warns if CFBE_ADMIN_PASSWORD is a common password, without repeating it", async () => {
  const warningsWith = async (password: string) => {
    await using app = await harness({ env: { CFBE_ADMIN_PASSWORD: password } });
    await logStartWarnings(app.services, {});
    return app.log.of("admin.common_password");
  };
  const [warning] = await warningsWith("Password2026!");
  assert.match(JSON.stringify(warning), /CFBE_ADMIN_PASSWORD is a common password/);
  assert.doesNotMatch(JSON.stringify(warning), /Password2026/);
  assert.deepEqual(await warningsWith("gravel onion lantern"), []);
});

Deno.test("at start, cfbe warns about a shared folder of the database to which others can write", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-warnings-" });
  const warnings = async (mode: number) => {
    await Deno.chmod(folder, mode);
    await using app = await harness({ env: { CFBE_KV: `${folder}/cfbe.kv` } });
    await logStartWarnings(app.services, {});
    return app.log.of("database.folder_mode");
  };
  assert.match(JSON.stringify(await warnings(0o777)), /is writable by other users: its mode is 777/);
  for (const mode of [0o755, 0o1777]) assert.deepEqual(await warnings(mode), []);
  await Deno.remove(folder, { recursive: true });
});
