import assert from "node:assert/strict";
import { harness } from "../../dev/testing/harness.ts";

Deno.test("the account of a provider is computed once for the calls under the same settings", async () => {
  await using app = await harness();
  const { keyring } = app.services;
  const { identify } = keyring;
  let computed = 0;
  keyring.identify = (purpose, text) => {
    if (purpose === "cfbe/fingerprint" && text.startsWith('["account"')) computed++;
    return identify(purpose, text);
  };
  const status = (name: string) =>
    app.services.provider.status({ email: `${name}@example.com`, list: "0".repeat(24) });
  for (const name of ["ann", "bob", "cid"]) await status(name);
  assert.equal(computed, 1);
  await app.services.settings.save("general", { apiKey: "another" });
  for (const name of ["ann", "bob"]) await status(name);
  assert.equal(computed, 2);
});
