import type { ProviderHarness } from "../../../conformance.ts";
import { doubleHarness } from "../../../testing/double_harness.ts";
import { serveKlaviyo } from "./serve.ts";

export async function openKlaviyo(): Promise<ProviderHarness> {
  const served = await serveKlaviyo();
  const { account } = served;
  // Small pages, so that listings have several.
  account.pageMax = 20;
  const suppressedAddress = "suppressed@example.com";
  const bouncedAddress = "bounced@example.com";
  account.suppress(suppressedAddress, "USER_SUPPRESSED");
  account.suppress(bouncedAddress, "HARD_BOUNCE");
  return doubleHarness(served, {
    singleOptIn: served.lists.single,
    suppressedAddress,
    know: (email) => served.provider().saveContact(email, { tags: [], properties: {} }),
    bouncedAddress,
    wrongKey: "pk_the-key-of-another-account",
    confirm: ({ list, email }) => Promise.resolve(account.confirm(email, list)),
    unsubscribe: ({ email }) => Promise.resolve(account.unsubscribe(email)),
  });
}
