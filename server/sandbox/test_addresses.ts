/** Addresses that make the sandbox behave in a way of its own, whatever the domain. */

export interface MagicAddress {
  local: string;
  /** For the inbox page. */
  says: string;
}

export const MAGIC_ADDRESSES = [
  { local: "bounced", says: "refused with 405: flagged for bouncing" },
  { local: "suppressed", says: "refused with 405: on the suppression list" },
  { local: "slow", says: "answered after 3 seconds" },
  { local: "down", says: "answered with 503, always" },
  { local: "auto", says: "confirms by itself at once" },
  { local: "unsubscribed", says: "is on every list already, unsubscribed" },
  { local: "active", says: "is on every list already, active" },
] as const satisfies readonly MagicAddress[];

export type Magic = (typeof MAGIC_ADDRESSES)[number]["local"];

/**
 * Which magic an address has: that of its local part up to a `+`, so that each may be used many times.
 *
 * @example
 * ```ts
 * magicOf("bounced+7@example.com"); // "bounced"
 * magicOf("bounced.not@example.com"); // undefined
 * ```
 */
export function magicOf(email: string): Magic | undefined {
  const local = email.slice(0, email.lastIndexOf("@")).split("+")[0]!.toLowerCase();
  return MAGIC_ADDRESSES.find((magic) => magic.local === local)?.local;
}
