/** Domains whose local parts ignore dots, and the domain each of them counts as (contract 5.5). */
const GMAIL: Readonly<Record<string, string>> = { "gmail.com": "gmail.com", "googlemail.com": "gmail.com" };

/**
 * Who an address reaches, for limits and once-only marks alone: the address lowercased, without a `+tag`,
 * and for Gmail without dots. Never an address to write to.
 *
 * @param address a valid address
 * @returns its mailbox identity; the same for every spelling that reaches the same mailbox
 */
export function mailboxOf(address: string): string {
  const lower = address.toLowerCase();
  const at = lower.lastIndexOf("@");
  const domain = lower.slice(at + 1);
  const local = lower.slice(0, at);
  const plus = local.indexOf("+");
  // "+tag@example.com" has nothing in front of its tag: dropping it would leave no mailbox at all.
  const untagged = plus > 0 ? local.slice(0, plus) : local;
  const gmail = Object.hasOwn(GMAIL, domain) ? GMAIL[domain] : undefined;
  // The same goes for a local part of dots alone.
  return gmail ? `${untagged.replaceAll(".", "") || untagged}@${gmail}` : `${untagged}@${domain}`;
}
