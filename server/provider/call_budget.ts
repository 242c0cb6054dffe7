import type { Clock } from "../deps.ts";
import { beforeCalls } from "./before_calls.ts";
import type { Provider } from "./port.ts";

const CALLS_PER_SECOND = 5;
const BURST = 10;
/** What urgent calls may take in advance. More, and a rush of signups would stop the poll for hours after it. */
const DEBT = 10;
/** However busy the account is, background work goes on: confirmations are to be found within 15 minutes. */
const LONGEST_WAIT_MS = 1_000;

/**
 * One budget for all calls of an account (design page "provider"). What a visitor or a webhook waits for goes at
 * once and is charged; background work waits until the account has calls to spare, for a second at most.
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
    calls = Math.max(-DEBT, calls - 1);
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
