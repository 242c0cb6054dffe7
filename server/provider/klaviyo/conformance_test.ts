import { providerConformance } from "../conformance.ts";
import { KEY, serveKlaviyo } from "./testing/serve.ts";

const WRONG_KEY = "pk_the-key-of-another-account";

providerConformance("klaviyo", async () => {
  const served = await serveKlaviyo();
  const { account, double, front, lists } = served;
  const suppressedAddress = "suppressed@example.com";
  const bouncedAddress = "bounced@example.com";
  account.suppress(suppressedAddress, "USER_SUPPRESSED");
  account.suppress(bouncedAddress, "HARD_BOUNCE");
  return {
    provider: served.provider(),
    doubleOptIn: lists.double,
    singleOptIn: lists.single,
    suppressedAddress,
    bouncedAddress,
    confirm: ({ list, email }) => Promise.resolve(account.confirm(email, list)),
    unsubscribe: ({ email }) => Promise.resolve(account.unsubscribe(email)),
    mailsTo: (email) => Promise.resolve(account.mails.filter((to) => to === email).length),
    withWrongKey: () => served.provider({ apiKey: () => WRONG_KEY }),
    wrongKey: WRONG_KEY,
    fault(fault) {
      double.limit(fault === "rate limited" ? 7 : undefined);
      if (fault === "lost response") front.fail("resets after storing", ({ method }) => method !== "GET");
      else front.recover();
      return Promise.resolve();
    },
    apiKey: KEY,
    unreachable: () => served.provider({ baseUrl: "http://host.invalid" }),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
});
