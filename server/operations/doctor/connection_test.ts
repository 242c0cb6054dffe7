import assert from "node:assert/strict";
import type { ConnectionResult, ForbiddenCause } from "../../providers/port/port.ts";
import type { TroubleCode } from "../../providers/port/trouble.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";
import { causeOfTrouble, causesOfForbidden, subjectOf } from "../provider/connection_causes.ts";
import { testConnection } from "./doctor.ts";
import { PROVIDERS } from "../../providers/providers.ts";
import type { ProviderModule } from "../../providers/module.ts";

async function simulate(program: TestProgram, mode: string) {
  const response = await fetch(`${program.baseUrl}/sandbox/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ mode }),
  });
  await response.body?.cancel();
  assert.ok(response.ok, mode);
}

async function codes(program: TestProgram) {
  const report = await testConnection(program.services);
  return [report.ok, ...report.causes.map(({ code }) => code)];
}

Deno.test("a working connection reports the project, a failed one its possible causes, the likeliest first", async () => {
  await using program = await startProgram({ run: false });
  const works = await testConnection(program.services);
  assert.ok(works.ok && works.project === "cfbe sandbox" && works.causes.length === 0);

  await simulate(program, "whitelist");
  assert.deepEqual(await codes(program), [false, "whitelist", "foreign_project", "wrong_key"]);
  await simulate(program, "500");
  assert.deepEqual(await codes(program), [false, "busy"]);
  await simulate(program, "garbage");
  assert.deepEqual(await codes(program), [false, "odd_answer"]);
  await simulate(program, "reset");
  assert.deepEqual(await codes(program), [false, "unreachable"]);
});

Deno.test("a rejected key is reported with what may be wrong with it, and without the key itself", async () => {
  // The provider is a second program, because the sandbox of this one provides its own key.
  await using other = await startProgram({ run: false });
  const { project: projectId, apiKey } = await other.sandbox!.provision();
  await using program = await startProgram({
    run: false,
    env: { CFBE_PROVIDER: "bluefox", CFBE_PROVIDER_URL: other.sandbox!.apiUrl },
  });
  const { settings } = program.services;
  await settings.save("general", { apiKey, projectId });
  assert.deepEqual(await codes(program), [true]);
  await settings.save("general", { apiKey: "some other key".replaceAll(" ", "-") });
  assert.deepEqual(await codes(program), [false, "wrong_key", "foreign_project", "whitelist"]);
  await settings.save("general", { apiKey: `Bearer ${apiKey}` });
  assert.equal((await codes(program))[1], "key_spelling");
  await settings.save("general", { apiKey, projectId: "0123456789abcdef01234567" });
  const foreign = await testConnection(program.services);
  assert.match(foreign.ok ? "" : foreign.reason, /rejected the API key: HTTP 403/);
  assert.ok(!JSON.stringify(foreign).includes(apiKey), "the report does not contain the key");
});

Deno.test("without key and project the provider is not contacted", async () => {
  await using app = await harness({ configured: false, settings: { general: { provider: "bluefox" } } });
  app.provider.connected = { kind: "trouble", code: "unavailable", reason: "asked", unknown: false };
  const report = await testConnection(app.services);
  assert.deepEqual([report.ok, report.causes.map(({ code }) => code)], [false, ["no_key", "no_project"]]);
});

Deno.test("with a valid key, a restricted project and an allowlist without this site are reported", async () => {
  await using app = await harness({ settings: { general: { projectId: "p" } } });
  const connected: ConnectionResult = {
    kind: "connected",
    name: "Shop",
    status: "production",
    restricted: true,
    restrictedReason: "bounces",
    whiteList: ["shop.example"],
  };
  app.provider.connected = connected;
  const report = await testConnection(app.services);
  assert.deepEqual(report.causes.map(({ what }) => what), [
    "The provider has restricted this project (bounces).",
    "The project's domain allowlist (shop.example) does not include news.example.",
  ]);
  const told = "Dear customer,\nyour key sk-123456 was seen at http://10.0.0.7/internal, so mails are off.";
  app.provider.connected = { ...connected, name: `Shop\n${"x".repeat(500)}`, restrictedReason: told };
  const odd = await testConnection(app.services);
  assert.ok(odd.ok && odd.project === `Shop ${"x".repeat(95)}` && odd.account === "production");
  assert.equal(odd.causes[0]?.what, "The provider has restricted this project.");
  app.provider.connected = { ...connected, restricted: false, whiteList: ["news.example"] };
  assert.deepEqual((await testConnection(app.services)).causes, []);
});

Deno.test("a key that can't send emails from templates works, and the missing permission is named", async () => {
  await using app = await harness({ settings: { general: { projectId: "p" } } });
  app.provider.connected = {
    kind: "connected",
    name: "Shop",
    status: "production",
    restricted: false,
    whiteList: [],
    missingPermissions: [{ permission: "tx:send", for: "emails" }],
  };
  const report = await testConnection(app.services);
  assert.ok(report.ok);
  assert.deepEqual(report.causes.map(({ what }) => what), [
    "The API key lacks the permission tx:send. Without it, emails from templates can't be sent.",
  ]);
});

Deno.test("for a rejected key, the causes are key, project and allowlist, because the provider does not distinguish them", () => {
  const table: ForbiddenCause[][] = [[], ["allowlist"], ["restricted"], ["restricted", "allowlist"]];
  for (const likely of table) {
    const subject = subjectOf(PROVIDERS.bluefox, { providerUrl: undefined });
    const codes = causesOfForbidden("a-key", likely, subject).map(({ code }) => code);
    for (const code of ["wrong_key", "foreign_project", "whitelist"] as const) {
      assert.ok(codes.includes(code), likely.join());
    }
  }
  const subject = subjectOf(PROVIDERS.bluefox, { providerUrl: undefined });
  assert.equal(causesOfForbidden("a-key", ["restricted"], subject)[0]?.code, "restricted");
});

const TROUBLES: TroubleCode[] = ["no_connection", "forbidden", "unexpected", "invalid_key", "account"];
for (const [name, module] of Object.entries(PROVIDERS as Record<string, ProviderModule>)) {
  Deno.test(`the causes of a failed connection name only what ${name} has`, () => {
    const textsWith = (providerUrl: string | undefined) => {
      const subject = subjectOf(module, { providerUrl });
      return [
        ...TROUBLES.map((code) => causeOfTrouble(code, subject)),
        ...causesOfForbidden(" a key", ["allowlist", "restricted"], subject),
      ].map(({ what, todo }) => `${what} ${todo}`).join("\n");
    };
    const texts = textsWith(undefined);
    const fields = Object.entries(module.fields);
    assert.equal(/project/i.test(texts), fields.some(([, { word }]) => word === "project"));
    assert.doesNotMatch(texts, /CFBE_PROVIDER_URL/);
    const url = fields.find(([, { url }]) => url === "api")?.[0];
    assert.deepEqual(new Set(texts.match(/general\.\w+/g)), new Set(url ? [`general.${url}`] : []));
    assert.match(texts, new RegExp(`${module.fields[module.apiKey]!.noun} is wrong or was deleted`, "i"));
    assert.match(textsWith("https://proxy.example"), /Check that CFBE_PROVIDER_URL points to/);
  });
}

Deno.test("the causes depend on the error's code, not on the adapter's message", async () => {
  await using app = await harness({ settings: { general: { projectId: "p" } } });
  const table: Record<TroubleCode, string> = {
    no_connection: "unreachable",
    timeout: "unreachable",
    broken: "unreachable",
    cancelled: "unreachable",
    unavailable: "busy",
    forbidden: "wrong_key",
    invalid_key: "key_spelling",
    account: "restricted",
    not_found: "odd_answer",
    not_configured: "odd_answer",
    deactivated: "odd_answer",
    unexpected: "odd_answer",
    // Last, because no call follows for a while.
    rate_limited: "busy",
  };
  for (const [code, cause] of Object.entries(table) as [TroubleCode, string][]) {
    app.provider.connected = { kind: "trouble", code, reason: "pas de chance", unknown: false };
    const report = await testConnection(app.services);
    assert.deepEqual(report.causes.map((found) => found.code), [cause], code);
  }
});

Deno.test("a provider whose URL has credentials is not contacted, and the cause does not repeat them", async () => {
  const general = {
    provider: "listmonk",
    listmonkUrl: "https://ann:secret@lists.example",
    listmonkToken: "cfbe:t",
  };
  await using app = await harness({ settings: { general } });
  const report = await testConnection(app.services);
  assert.deepEqual(report.causes.map(({ code }) => code), ["unsafe_url"]);
  assert.ok(!JSON.stringify(report).includes("secret"));
  assert.deepEqual(app.provider.calls, []);
});
