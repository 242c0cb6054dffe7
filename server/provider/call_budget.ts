import type { Clock } from "../deps.ts";
import { beforeCalls } from "./before_calls.ts";
import type { Provider } from "./port.ts";

const CALLS_PER_SECOND = 5;
const BURST = 10;
/** How far urgent calls may overdraw the budget. With more, a rush of signups would delay the poll for hours. */
const MAX_DEBT = 10;
/** Background calls never wait longer, so that polling finds confirmations within 15 minutes even on a busy account. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Returns the provider with one budget for all calls of an account. Urgent calls, for which a visitor or a webhook
 * waits, are sent immediately and charged. Background calls wait for the budget, at most a second each.
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
    calls = Math.max(-MAX_DEBT, calls - 1);
  }

  async function wait(): Promise<void> {
    const end = clock.now() + LONGEST_WAIT_MS;
    for (refill(); calls < 1 && clock.now() < end; refill()) {
      await clock.sleep(Math.min((1 - calls) / CALLS_PER_SECOND * 1000, end - clock.now()));
    }
    charge();
  }

  return {
    urgent: beforeCalls(provider, charge),
    background: beforeCalls(provider, wait),
  };
}
