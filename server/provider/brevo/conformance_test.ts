import { providerConformance } from "../conformance.ts";
import { OTHER_TEMPLATE } from "./testing/account.ts";
import { serveBrevo } from "./testing/serve.ts";

const WRONG_KEY = "xkeysib-the-key-of-another-account";

providerConformance("brevo on its double", async () => {
  // Small pages, so that listings have several.
  const served = await serveBrevo({ pageMax: 20 });
  const { double: { account, apiKey }, double, list, provider } = served;
  const suppressedAddress = "complained@example.com";
  const bouncedAddress = "bounced@example.com";
  account.block(suppressedAddress, "complaints");
  account.block(bouncedAddress, "hardBounces");
  return {
    provider: provider(),
    doubleOptIn: list,
    suppressedAddress,
    bouncedAddress,
    async confirm({ list, email }) {
      await Promise.resolve(account.confirm(list, email));
    },
    async unsubscribe({ email }) {
      await Promise.resolve(account.unsubscribe(email));
    },
    mailsTo: (email) => Promise.resolve(account.mails.filter((to) => to === email).length),
    withWrongKey: () => provider({ apiKey: () => WRONG_KEY }),
    wrongKey: WRONG_KEY,
    apiKey,
    template: String(OTHER_TEMPLATE),
    fault(fault) {
      double.fault = fault;
      return Promise.resolve();
    },
    registerForeign(url) {
      const events = ["listAddition", "opened"];
      account.webhooks.push({ id: account.nextId(), url, description: "cfbe", type: "marketing", events });
      return Promise.resolve();
    },
    unreachable: () => provider({ baseUrl: "http://host.invalid" }),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
});
