import assert from "node:assert/strict";
import { environmentLayer, readEnvironment } from "./environment.ts";
import { PROVIDERS } from "../../providers/providers.ts";
import { apiKeyOf, keyOfOther, missingFields, withProvider } from "./provider.ts";
import { SettingsSchema } from "../schema/schema.ts";

const general = (values: Record<string, unknown>) => SettingsSchema.parse({ general: values });

Deno.test("a provider that is not chosen is used only while its own required settings are set", () => {
  const both = { provider: "mailerlite", mailerliteApiKey: "new", projectId: "p", apiKey: "old" };
  assert.equal(keyOfOther(general(both), "bluefox"), "old");
  assert.equal(keyOfOther(general({ ...both, apiKey: "" }), "bluefox"), undefined);
  assert.equal(keyOfOther(general({ ...both, listmonkToken: "t" }), "listmonk"), undefined);
  assert.equal(keyOfOther(general(both), "sandbox"), undefined);
  assert.equal(keyOfOther(general(both), "no-such-provider"), undefined);
});

Deno.test("a key that a variable sets for every provider is sent only to the chosen one", () => {
  const config = readEnvironment({ CFBE_PROVIDER_API_KEY: "k" });
  const settings = SettingsSchema.parse({
    general: { ...environmentLayer(config)["general"] as object, provider: "mailerlite" },
  });
  assert.equal(settings.general.mailerliteApiKey, "k");
  assert.equal(keyOfOther(settings, "brevo"), undefined);
});

Deno.test("a provider that the environment chooses leaves the saved key of another one in effect", () => {
  const config = readEnvironment({ CFBE_PROVIDER: "mailerlite", CFBE_PROVIDER_API_KEY: "k" });
  const layer = environmentLayer(config)["general"] as Record<string, unknown>;
  assert.deepEqual([layer["mailerliteApiKey"], layer["apiKey"], layer["brevoApiKey"]], [
    "k",
    undefined,
    undefined,
  ]);
});

Deno.test("the sandbox has none of the settings of the provider whose API it has", () => {
  const settings = general({ provider: "sandbox", projectId: "p", apiKey: "bluefox-key" });
  assert.equal(apiKeyOf(settings), "");
  assert.deepEqual(missingFields(general({ provider: "sandbox" })), []);
  assert.deepEqual(missingFields(withProvider(general({}), "bluefox")).map(([name]) => name), [
    "projectId",
    "apiKey",
  ]);
  assert.equal(keyOfOther(settings, "bluefox"), "bluefox-key", "a provider used before the sandbox");
});

Deno.test("a key that a variable sets for every provider is sent to none while the sandbox is chosen", () => {
  const config = readEnvironment({ CFBE_PROVIDER_API_KEY: "k", CFBE_PROVIDER_PROJECT: "p" });
  const settings = SettingsSchema.parse(environmentLayer(config));
  assert.equal(settings.general.apiKey, "k");
  for (const name of Object.keys(PROVIDERS)) assert.equal(keyOfOther(settings, name), undefined, name);
});

Deno.test("the variables of a provider are for none if the environment chooses the sandbox", () => {
  const config = readEnvironment({ CFBE_PROVIDER: "sandbox", CFBE_PROVIDER_API_KEY: "k" });
  assert.equal((environmentLayer(config)["general"] as Record<string, unknown>)["apiKey"], undefined);
});
