import type { ProviderHarness } from "../../../conformance.ts";
import { doubleHarness, keepingSettings } from "../../../testing/double_harness.ts";
import { NEEDED_EVENTS, WEBHOOK_NAME } from "../webhook.ts";
import { serveKit } from "./serve.ts";

export async function openKit(): Promise<ProviderHarness> {
  const served = await serveKit();
  const { account, stored } = served;
  // Small pages, so that listings have several.
  account.pageMax = 20;
  const suppressedAddress = "suppressed@example.com";
  const bouncedAddress = "bounced@example.com";
  account.add(suppressedAddress, { state: "complained" });
  account.add(bouncedAddress, { state: "bounced" });
  return doubleHarness(served, {
    provider: keepingSettings(served.provider(), (kept) => stored.secret = kept["kitWebhookSecret"]!),
    singleOptIn: served.forms[1],
    suppressedAddress,
    bouncedAddress,
    know: (email) => account.add(email, { state: "inactive" }),
    wrongKey: "kit_the-key-of-another-account",
    confirm: ({ email }) => Promise.resolve(account.put(email, "active")),
    unsubscribe: ({ email }) => Promise.resolve(account.put(email, "cancelled")),
    // A person who was created is on no form yet, so only the last request subscribes anybody.
    losesResponseTo: ({ method, target }) => method !== "GET" && !target.endsWith("/v4/subscribers"),
    registerForeign(url) {
      account.register({ name: WEBHOOK_NAME, url, events: NEEDED_EVENTS });
      return Promise.resolve();
    },
  });
}
