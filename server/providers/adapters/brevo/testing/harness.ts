import type { ProviderHarness } from "../../../conformance.ts";
import { doubleHarness } from "../../../testing/double_harness.ts";
import { serveBrevo } from "./serve.ts";

export async function openBrevo(): Promise<ProviderHarness> {
  // Small pages, so that listings have several.
  const served = await serveBrevo({ pageMax: 20 });
  const { account } = served;
  const suppressedAddress = "complained@example.com";
  const bouncedAddress = "bounced@example.com";
  account.block(suppressedAddress, "complaints");
  account.block(bouncedAddress, "hardBounces");
  return doubleHarness(served, {
    suppressedAddress,
    know: (email) => served.provider().saveContact(email, { tags: [], properties: {} }),
    bouncedAddress,
    wrongKey: "xkeysib-the-key-of-another-account",
    async confirm({ list, email }) {
      await Promise.resolve(account.confirm(list, email));
    },
    async unsubscribe({ email }) {
      await Promise.resolve(account.unsubscribe(email));
    },
    registerForeign(url) {
      const events = ["listAddition", "opened"];
      account.webhooks.push({ id: account.nextId(), url, description: "cfbe", type: "marketing", events });
      return Promise.resolve();
    },
  });
}
