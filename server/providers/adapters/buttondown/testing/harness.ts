import type { ProviderHarness } from "../../../conformance.ts";
import { doubleHarness } from "../../../testing/double_harness.ts";
import { serveButtondown } from "./serve.ts";

export async function openButtondown(): Promise<ProviderHarness> {
  const served = await serveButtondown();
  const { double } = served;
  // Small pages, so that listings have several.
  double.rules.pageSize = 20;
  const suppressedAddress = "suppressed@example.com";
  const bouncedAddress = "bounced@example.com";
  for (const newsletter of double.newsletters) {
    double.put(newsletter, suppressedAddress, "complained");
    double.put(newsletter, bouncedAddress, "undeliverable");
  }
  const change = ({ list, email }: { list: string; email: string }, type: string) => {
    const newsletter = double.newsletters.find(({ id }) => id === list)!;
    return Promise.resolve(double.put(newsletter, email, type));
  };
  return doubleHarness(served, {
    singleOptIn: double.newsletters[1]!.id,
    suppressedAddress,
    bouncedAddress,
    specialAddress: "o'hara+a%b!c_d-e@example.com",
    wrongKey: "the-key-of-another-account",
    confirm: (target) => change(target, "regular"),
    unsubscribe: (target) => change(target, "unsubscribed"),
  });
}
