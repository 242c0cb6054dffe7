import type { ProviderHarness } from "../../../conformance.ts";
import { doubleHarness, keepingSettings } from "../../../testing/double_harness.ts";
import { NEEDED_EVENTS, WEBHOOK_NAME } from "../webhook.ts";
import { serveMailerlite } from "./serve.ts";

export async function openMailerlite(): Promise<ProviderHarness> {
  const served = await serveMailerlite();
  const { account, stored } = served;
  // Small pages, so that listings have several.
  account.pageMax = 20;
  const singleOptIn = served.groups[1];
  const suppressedAddress = "suppressed@example.com";
  const bouncedAddress = "bounced@example.com";
  account.add(suppressedAddress, { status: "junk" });
  account.add(bouncedAddress, { status: "bounced" });
  const provider = keepingSettings(
    served.provider(),
    (kept) => stored.secret = kept["mailerliteWebhookSecret"]!,
  );
  return doubleHarness(served, {
    provider: {
      ...provider,
      // Double opt-in is a setting of the account, so it is changed between the two lists.
      subscribe(target, person) {
        account.doubleOptIn = target.list !== singleOptIn;
        return provider.subscribe(target, person);
      },
    },
    singleOptIn,
    suppressedAddress,
    bouncedAddress,
    know: (email) => account.add(email, { status: "active" }),
    wrongKey: "the-token-of-another-account",
    confirm: ({ email }) => Promise.resolve(account.put(email, "active")),
    unsubscribe: ({ email }) => Promise.resolve(account.put(email, "unsubscribed")),
    registerForeign(url) {
      account.register({ name: WEBHOOK_NAME, url, events: NEEDED_EVENTS });
      return Promise.resolve();
    },
  });
}
