import assert from "node:assert/strict";
import { missingFields } from "../../../settings/store/provider.ts";
import { startProgram } from "../../../../dev/testing/program.ts";
import { providerJourney } from "../../testing/journey.ts";
import { openListmonk } from "./testing/harness.ts";

providerJourney("listmonk", openListmonk);

Deno.test("without its URL, listmonk counts as not configured", async () => {
  await using program = await startProgram({
    env: { CFBE_PROVIDER: "listmonk", CFBE_PROVIDER_API_KEY: "cfbe:a-token" },
  });
  const { settings } = program.services;
  assert.deepEqual(missingFields(settings.current(), settings.providers).map(([name]) => name), [
    "listmonkUrl",
  ]);
});
