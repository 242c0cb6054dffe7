import { providerConformance } from "../conformance.ts";
import type { Provider } from "../port.ts";
import { KEY, serveKit } from "./testing/serve.ts";
import { NEEDED_EVENTS, WEBHOOK_NAME } from "./webhook.ts";

const WRONG_KEY = "kit_the-key-of-another-account";

providerConformance("kit", async () => {
  const served = await serveKit();
  const { account, double, front, stored } = served;
  const [doubleOptIn, singleOptIn] = served.forms;
  const suppressedAddress = "suppressed@example.com";
  const bouncedAddress = "bounced@example.com";
  account.add(suppressedAddress, { state: "complained" });
  account.add(bouncedAddress, { state: "bounced" });
  const adapter = served.provider();
  const provider: Provider = {
    ...adapter,
    // As cfbe does after a registration.
    async setWebhook(options) {
      const set = await adapter.setWebhook(options);
      if (set.kind === "registered") stored.secret = set.keep!["kitWebhookSecret"]!;
      return set;
    },
  };
  return {
    provider,
    doubleOptIn,
    singleOptIn,
    suppressedAddress,
    bouncedAddress,
    confirm: ({ email }) => Promise.resolve(account.put(email, "active")),
    unsubscribe: ({ email }) => Promise.resolve(account.put(email, "cancelled")),
    mailsTo: (email) => Promise.resolve(account.mails.filter((to) => to === email).length),
    withWrongKey: () => served.provider({ apiKey: () => WRONG_KEY }),
    wrongKey: WRONG_KEY,
    fault(fault) {
      double.limit(fault === "rate limited" ? 7 : undefined);
      // A person who was created is on no form yet, so only the last request subscribes anybody.
      const changes = ({ method, target }: { method: string; target: string }) =>
        method !== "GET" && !target.endsWith("/v4/subscribers");
      if (fault === "lost response") front.fail("resets after storing", changes);
      else front.recover();
      return Promise.resolve();
    },
    registerForeign(url) {
      account.register({ name: WEBHOOK_NAME, url, events: NEEDED_EVENTS });
      return Promise.resolve();
    },
    apiKey: KEY,
    unreachable: () => served.provider({ baseUrl: "http://host.invalid/v4" }),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
});
