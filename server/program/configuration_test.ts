import assert from "node:assert/strict";
import { ConfigError } from "../platform/config/config.ts";
import { PROVIDERS } from "../providers/providers.ts";
import { readConfiguration } from "./configuration.ts";

Deno.test("a URL of the provider's API with credentials is refused, without showing them, and says what to do", async () => {
  const read = (CFBE_PROVIDER: string, CFBE_PROVIDER_URL: string) =>
    readConfiguration({ CFBE_PROVIDER, CFBE_PROVIDER_URL, CFBE_PROVIDER_API_KEY: "user:key" }, {}, PROVIDERS);
  for (const rest of ["user:hidden@proxy.example", "proxy.example/?key=hidden", "proxy.example/#hidden"]) {
    for (const provider of ["bluefox", "kit", "mailchimp", "sandbox"]) {
      await assert.rejects(read(provider, `https://${rest}`), (error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, /CFBE_PROVIDER_URL must be .* Set the key as CFBE_PROVIDER_API_KEY/);
        return !error.message.includes("hidden");
      });
    }
    // There, it is a finding about the setting that the variable sets.
    assert.ok(await read("listmonk", `https://${rest}`));
  }
  assert.equal(
    (await read("kit", "https://proxy.example/v4/")).config.providerUrl,
    "https://proxy.example/v4",
  );
});
