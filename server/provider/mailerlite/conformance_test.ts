import { providerConformance } from "../conformance.ts";
import type { Provider } from "../port.ts";
import { serveMailerlite, TOKEN } from "./testing/serve.ts";
import { NEEDED_EVENTS, WEBHOOK_NAME } from "./webhook.ts";

const WRONG_KEY = "the-token-of-another-account";

providerConformance("mailerlite", async () => {
  const served = await serveMailerlite();
  const { account, double, front, stored } = served;
  const [doubleOptIn, singleOptIn] = served.groups;
  const suppressedAddress = "suppressed@example.com";
  const bouncedAddress = "bounced@example.com";
  account.add(suppressedAddress, { status: "junk" });
  account.add(bouncedAddress, { status: "bounced" });
  const adapter = served.provider();
  const provider: Provider = {
    ...adapter,
    // Double opt-in is a setting of the account, so it is changed between the two lists.
    subscribe(target, person) {
      account.doubleOptIn = target.list !== singleOptIn;
      return adapter.subscribe(target, person);
    },
    // As cfbe does after a registration.
    async setWebhook(options) {
      const set = await adapter.setWebhook(options);
      if (set.kind === "registered") stored.secret = set.keep!["mailerliteWebhookSecret"]!;
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
    unsubscribe: ({ email }) => Promise.resolve(account.put(email, "unsubscribed")),
    mailsTo: (email) => Promise.resolve(account.mails.filter((to) => to === email).length),
    withWrongKey: () => served.provider({ apiKey: () => WRONG_KEY }),
    wrongKey: WRONG_KEY,
    fault(fault) {
      double.limit(fault === "rate limited" ? 7 : undefined);
      if (fault === "lost response") front.fail("resets after storing", ({ method }) => method !== "GET");
      else front.recover();
      return Promise.resolve();
    },
    registerForeign(url) {
      account.register({ name: WEBHOOK_NAME, url, events: NEEDED_EVENTS });
      return Promise.resolve();
    },
    apiKey: TOKEN,
    unreachable: () => served.provider({ baseUrl: "http://host.invalid/api" }),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
});
