import { providerConformance } from "../conformance.ts";
import { KEY, serveMailchimp } from "./testing/serve.ts";
import { withToken } from "./webhook_token.ts";

const WRONG_KEY = "ffffffffffffffffffffffffffffffff-us6";

providerConformance("mailchimp", async () => {
  const served = await serveMailchimp();
  const { account, double, front } = served;
  const [doubleOptIn] = served.audiences;
  const suppressedAddress = "suppressed@example.com";
  account.inCompliance.add(suppressedAddress);
  return {
    provider: served.provider(),
    doubleOptIn,
    suppressedAddress,
    confirm: ({ list, email }) => Promise.resolve(account.put(list, email, "subscribed")),
    unsubscribe: ({ list, email }) => Promise.resolve(account.put(list, email, "unsubscribed")),
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
      account.register(doubleOptIn, { url: withToken(url, "the-token-of-another-cfbe") });
      return Promise.resolve();
    },
    apiKey: KEY,
    unreachable: () => served.provider({ baseUrl: "http://host.invalid/3.0" }),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
});
