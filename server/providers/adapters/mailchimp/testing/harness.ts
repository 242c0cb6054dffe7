import type { ProviderHarness } from "../../../conformance.ts";
import { doubleHarness } from "../../../testing/double_harness.ts";
import { withToken } from "../webhook_token.ts";
import { serveMailchimp } from "./serve.ts";

export async function openMailchimp(): Promise<ProviderHarness> {
  const served = await serveMailchimp();
  const { account, double } = served;
  // Small pages, so that listings have several.
  double.pageSize = 20;
  const suppressedAddress = "suppressed@example.com";
  account.inCompliance.add(suppressedAddress);
  return doubleHarness(served, {
    suppressedAddress,
    know(email) {
      account.add(served.list, email, { status: "archived" });
    },
    wrongKey: "ffffffffffffffffffffffffffffffff-us6",
    confirm: ({ list, email }) => Promise.resolve(account.put(list, email, "subscribed")),
    unsubscribe: ({ list, email }) => Promise.resolve(account.put(list, email, "unsubscribed")),
    registerForeign(url) {
      account.register(served.list, { url: withToken(url, "the-token-of-another-cfbe") });
      return Promise.resolve();
    },
  });
}
