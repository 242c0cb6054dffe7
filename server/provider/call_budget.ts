import type { Clock } from "../deps.ts";
import type { Provider } from "./port.ts";

const CALLS_PER_SECOND = 5;
const BURST = 10;

/**
 * One budget for all calls of an account (design page "provider"). What a visitor or a webhook waits for goes at
 * once and is charged; background work waits until the account has calls to spare.
 */
export function withCallBudget(provider: Provider, clock: Clock): { urgent: Provider; background: Provider } {
  let calls = BURST;
  let countedAt = clock.now();

  function refill() {
    const now = clock.now();
    calls = Math.min(BURST, calls + Math.max(0, now - countedAt) / 1000 * CALLS_PER_SECOND);
    countedAt = now;
  }

  function charge(): void {
    refill();
    calls--;
  }

  async function wait(): Promise<void> {
    for (refill(); calls < 1; refill()) await clock.sleep((1 - calls) / CALLS_PER_SECOND * 1000);
    calls--;
  }

  return {
    urgent: charged(provider, charge),
    background: charged(provider, wait),
  };
}

/** The same provider, asking `before` in front of every call. */
function charged(provider: Provider, before: () => void | Promise<void>): Provider {
  return {
    name: provider.name,
    capabilities: provider.capabilities,
    subscribe: async (...args) => (await before(), provider.subscribe(...args)),
    status: async (...args) => (await before(), provider.status(...args)),
    resend: async (...args) => (await before(), provider.resend(...args)),
    sendTriggered: async (...args) => (await before(), provider.sendTriggered(...args)),
    lists: async (...args) => (await before(), provider.lists(...args)),
    changed: async (...args) => (await before(), provider.changed(...args)),
    unconfirmed: async (...args) => (await before(), provider.unconfirmed(...args)),
  };
}
