/** Addresses, at any domain, for which the sandbox simulates a behavior of the provider. */

export interface TestAddress {
  local: string;
  /** Description on the inbox page. */
  effect: string;
}

export const TEST_ADDRESSES = [
  { local: "bounced", effect: "rejected with 405: flagged for bouncing" },
  { local: "suppressed", effect: "rejected with 405: on the suppression list" },
  { local: "slow", effect: "responds after 3 seconds" },
  { local: "down", effect: "always responds with 503" },
  { local: "auto", effect: "confirmed automatically, at once" },
  { local: "unsubscribed", effect: "already on every list, as unsubscribed" },
  { local: "active", effect: "already on every list, as active" },
] as const satisfies readonly TestAddress[];

export type TestBehavior = (typeof TEST_ADDRESSES)[number]["local"];

/**
 * Returns the test behavior of an address. It depends on the local part up to a `+`, so each can be used many
 * times.
 *
 * @example
 * ```ts
 * testBehaviorOf("bounced+7@example.com"); // "bounced"
 * testBehaviorOf("bounced.not@example.com"); // undefined
 * ```
 */
export function testBehaviorOf(email: string): TestBehavior | undefined {
  const local = email.slice(0, email.lastIndexOf("@")).split("+")[0]!.toLowerCase();
  return TEST_ADDRESSES.find(({ local: name }) => name === local)?.local;
}
