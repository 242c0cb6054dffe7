import { providerConformance } from "../conformance.ts";
import type { Provider } from "../port.ts";
import { listmonkHarness } from "./testing/harness.ts";

providerConformance("listmonk on its double", () => Promise.resolve(listmonkHarness()));

/**
 * Returns the adapter as if listmonk showed an address only after its confirmation, and sent the email again whenever a
 * waiting address is subscribed. No adapter of such a provider exists yet, and the port has to fit it.
 */
function hidingPending(provider: Provider): Provider {
  const { status, subscribe, resend } = provider;
  return {
    ...provider,
    capabilities: { ...provider.capabilities, showsPending: false, listsUnconfirmed: false },
    async status(...args) {
      const read = await status(...args);
      return read.kind === "found" && read.status === "pending" ? { kind: "absent" } : read;
    },
    async subscribe(target, person) {
      const result = await subscribe(target, person);
      if (result.kind === "accepted") return { kind: "accepted" };
      const isWaiting = result.kind === "exists" && (await resend(target)).kind === "sent";
      return isWaiting ? { kind: "accepted" } : result;
    },
  };
}

providerConformance("listmonk, if it hid who is pending", () => {
  const harness = listmonkHarness();
  const { withWrongKey, unreachable } = harness;
  return Promise.resolve({
    ...harness,
    provider: hidingPending(harness.provider),
    withWrongKey: () => hidingPending(withWrongKey()),
    unreachable: () => hidingPending(unreachable()),
  });
});
