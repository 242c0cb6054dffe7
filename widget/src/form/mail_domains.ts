/** Web mail by domain: for the link to the inbox, and for telling a slip of the finger from a real domain. */
const PROVIDERS: [name: string, url: string, domains: string][] = [
  ["Gmail", "mail.google.com", "gmail.com googlemail.com"],
  [
    "Outlook",
    "outlook.live.com",
    "outlook.com hotmail.com live.com msn.com hotmail.de outlook.de hotmail.co.uk",
  ],
  ["Yahoo", "mail.yahoo.com", "yahoo.com ymail.com yahoo.de yahoo.co.uk yahoo.fr"],
  ["iCloud", "www.icloud.com/mail", "icloud.com me.com mac.com"],
  ["GMX", "www.gmx.net", "gmx.de gmx.net gmx.at gmx.ch"],
  ["WEB.DE", "web.de", "web.de"],
  ["Proton Mail", "mail.proton.me", "proton.me protonmail.com"],
  ["T-Online", "email.t-online.de", "t-online.de"],
  ["AOL", "mail.aol.com", "aol.com"],
  ["mail.com", "www.mail.com", "mail.com"],
];
const DOMAINS = PROVIDERS.flatMap(([, , domains]) => domains.split(" "));

/** A shorter domain is one letter away from too many others that exist. */
const LONG_ENOUGH = 8;

/** Whether one letter too many, too few, wrong, or two swapped, turn one string into the other. */
function oneSlip(a: string, b: string): boolean {
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  let same = 0;
  while (same < Math.min(a.length, b.length) - from && a.at(-1 - same) === b.at(-1 - same)) same++;
  const restA = a.slice(from, a.length - same);
  const restB = b.slice(from, b.length - same);
  if (restA.length < 2 && restB.length < 2) return a !== b;
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
}

const domainOf = (address: string) => address.slice(address.lastIndexOf("@") + 1).toLowerCase();

/**
 * The address that was probably meant, when the domain is one slip away from a common one.
 *
 * Asked while the visitor types, so the beginning of a common domain is none: `gmail.co` may be on its way.
 * Asking only when the field is left would move the button away under the pointer that presses it.
 *
 * @example
 * meantAddress("ada@gmial.com") // "ada@gmail.com"
 */
export function meantAddress(typed: string): string | undefined {
  const address = typed.trim();
  const domain = domainOf(address);
  if (!address.includes("@") || DOMAINS.some((known) => known.startsWith(domain))) return undefined;
  const meant = DOMAINS.find((known) => known.length >= LONG_ENOUGH && oneSlip(domain, known));
  return meant && address.slice(0, -domain.length) + meant;
}

/** Where a visitor reads mail. */
export interface WebMail {
  readonly name: string;
  readonly href: string;
}

/** Where the mail of an address can be read in the browser, when its domain tells. */
export function webMailOf(address: string): WebMail | undefined {
  const domain = domainOf(address);
  const provider = PROVIDERS.find(([, , domains]) => domains.split(" ").includes(domain));
  return provider && { name: provider[0], href: `https://${provider[1]}` };
}
