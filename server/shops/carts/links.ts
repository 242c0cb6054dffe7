import type { Keyring } from "../../platform/keys/keyring.ts";
import type { Purpose } from "../../platform/keys/purposes.ts";

/** The links in a cart reminder: each is signed for one purpose, and names its cart or mailbox by an HMAC. */

type LinkPurpose = Extract<Purpose, "cfbe/cart-link" | "cfbe/cart-stop">;

/**
 * @param purpose `cart-link` restores a cart, `cart-stop` opts a mailbox out; neither is valid as the other
 * @param subject HMAC of the cart or of the mailbox
 * @returns `<subject>.<signature>`
 */
export function signLink(keyring: Keyring, purpose: LinkPurpose, subject: string): string {
  return `${subject}.${keyring.sign(purpose, subject)}`;
}

/** Returns the subject, or undefined if the link was not signed by this site for this purpose. */
export function readLink(
  keyring: Keyring,
  purpose: LinkPurpose,
  link: string | undefined,
): string | undefined {
  const match = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/.exec(link ?? "");
  if (!match) return undefined;
  const [, subject, signature] = match as unknown as [string, string, string];
  return keyring.verify(purpose, subject, signature) ? subject : undefined;
}
