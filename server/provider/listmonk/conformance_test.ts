import { transport } from "../../http/outbound/transport.ts";
import { providerConformance } from "../conformance.ts";
import { createListmonk } from "./adapter.ts";
import { serveListmonk } from "./testing/double.ts";

const WRONG_KEY = "cfbe:another-token";

providerConformance("listmonk on its double", () => {
  const double = serveListmonk();
  const create = ({ url = double.url, token = double.token } = {}) =>
    createListmonk({ baseUrl: () => url, token: () => token, fetch: transport, now: Date.now });
  const suppressedAddress = "blocked@example.com";
  double.blocklist(suppressedAddress);
  return Promise.resolve({
    provider: create(),
    doubleOptIn: double.addList("News", "double"),
    singleOptIn: double.addList("Offers", "single"),
    suppressedAddress,
    async confirm({ list, email }) {
      await Promise.resolve(double.confirm(list, email));
    },
    async unsubscribe({ list, email }) {
      await Promise.resolve(double.unsubscribe(list, email));
    },
    mailsTo: (email) => Promise.resolve(double.mails.filter((to) => to === email).length),
    withWrongKey: () => create({ token: WRONG_KEY }),
    wrongKey: WRONG_KEY,
    apiKey: double.token,
    template: double.addTemplate("Order", "tx"),
    fault(fault) {
      double.fault = fault;
      return Promise.resolve();
    },
    unreachable: () => create({ url: "http://127.0.0.1:1" }),
    [Symbol.asyncDispose]: () => double[Symbol.asyncDispose](),
  });
});
