import { mailboxOf } from "../../../shared/mailbox.ts";

/**
 * The spellings of one inbox at large providers, for the mail budget. Merging too much only makes a rare signup wait, so
 * this knows more spellings than `mailboxOf`, which the contract defines.
 */

/** Source: proton.me/support/addresses-and-aliases. A name belongs to one account, whatever the domain. */
const PROTON: ReadonlySet<string> = new Set(["proton.me", "protonmail.com", "protonmail.ch", "pm.me"]);
/** Source: support.apple.com/118230. */
const ICLOUD: ReadonlySet<string> = new Set(["icloud.com", "me.com", "mac.com"]);
/** Source: yandex.com/support/domain/additional/mailbox-alias.xml: a mailbox has an alias on each of its domains. */
const YANDEX = /^(ya\.ru|narod\.ru|yandex\.(com|[a-z]{2}|com\.[a-z]{2}|co\.[a-z]{2}))$/;
/** Source: fastmail.help, article 360060591053: `any@ada.fastmail.com` goes to `ada@fastmail.com`. */
const FASTMAIL = /^(?:(.+)\.)?(fastmail\.(?:com|fm))$/;
/** Source: help.yahoo.com, disposable addresses, which are `base-keyword`. */
const YAHOO = /^(ymail\.com|rocketmail\.com|yahoo\.(com|[a-z]{2}|com\.[a-z]{2}|co\.[a-z]{2}))$/;

/**
 * Returns the inbox that an address reaches. All spellings that are known to reach the same inbox return the same value.
 *
 * At Proton, dots, hyphens and underscores do not count (source: sindastra.de/p/1775, which quotes Proton). At Fastmail, a
 * hyphen in a subdomain stands for an underscore (source: fastmail.com/blog/two-address-resolving-additions).
 *
 * @param address a valid email address
 */
export function inboxOf(address: string): string {
  const mailbox = mailboxOf(address);
  const at = mailbox.lastIndexOf("@");
  const [local, domain] = [mailbox.slice(0, at), mailbox.slice(at + 1)];
  if (PROTON.has(domain)) return `${local.replaceAll(/[._-]/g, "") || local}@proton.me`;
  if (ICLOUD.has(domain)) return `${local}@icloud.com`;
  if (YANDEX.test(domain)) return `${local}@yandex.ru`;
  if (YAHOO.test(domain)) return `${/^[^-]+/.exec(local)?.[0] ?? local}@${domain}`;
  const [, user, fastmail] = FASTMAIL.exec(domain) ?? [];
  return fastmail ? `${(user ?? local).replaceAll("_", "-")}@${fastmail}` : mailbox;
}
