import type { ProviderHarness } from "../../../conformance.ts";
import { doubleHarness } from "../../../testing/double_harness.ts";
import { serveListmonk } from "./serve.ts";

export async function openListmonk(): Promise<ProviderHarness> {
  const served = await serveListmonk();
  const { double } = served;
  const suppressedAddress = "blocked@example.com";
  double.blocklist(suppressedAddress);
  return doubleHarness(served, {
    singleOptIn: double.addList("Offers", "single"),
    suppressedAddress,
    know: (email) => served.provider().saveContact(email, { tags: [], properties: {} }),
    wrongKey: "cfbe:another-token",
    mailServer: (state) => double.mailServer(state),
    async confirm({ list, email }) {
      await Promise.resolve(double.confirm(list, email));
    },
    async unsubscribe({ list, email }) {
      await Promise.resolve(double.unsubscribe(list, email));
    },
  });
}
