/** Domains whose local parts ignore dots, mapped to their canonical domain (contract 5.5). */
const GMAIL: Readonly<Record<string, string>> = { "gmail.com": "gmail.com", "googlemail.com": "gmail.com" };

/**
 * Returns the mailbox of an email address: lowercase, without a `+tag`, and for Gmail without dots. All spellings
 * that reach the same mailbox return the same value. Used for rate limits and once-only markers, never to send email.
 *
 * @param address a valid email address
 */
export function mailboxOf(address: string): string {
  const lower = address.toLowerCase();
  const at = lower.lastIndexOf("@");
  const domain = lower.slice(at + 1);
  const local = lower.slice(0, at);
  const plus = local.indexOf("+");
  // "+tag@example.com" has nothing before the tag; removing the tag would leave an empty local part.
  const untagged = plus > 0 ? local.slice(0, plus) : local;
  const gmail = Object.hasOwn(GMAIL, domain) ? GMAIL[domain] : undefined;
  // A local part of only dots is kept for the same reason.
  return gmail ? `${untagged.replaceAll(".", "") || untagged}@${gmail}` : `${untagged}@${domain}`;
}
