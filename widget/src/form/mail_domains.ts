import { POPULAR_DOMAINS } from "@zootools/email-spell-checker/dist/lib/config/index.js";

/** Webmail services and their domains, for inbox links. */
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
/** Exists, and differs from Gmail's by one letter. */
const SIMILAR_DOMAIN = "email.com";
/** Domains that are suggested in place of mistyped ones. */
const DOMAINS = [
  ...PROVIDERS.flatMap(([, , domains]) => domains.split(" ")),
  ...POPULAR_DOMAINS,
  SIMILAR_DOMAIN,
];

/** Shorter domains are not suggested: too many existing domains differ from them by one letter. */
const MIN_SUGGESTED_LENGTH = 8;

/** Returns whether two strings differ by one typo: a missing, extra or wrong letter, or two swapped ones. */
function isOneTypoAway(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const restA = a.slice(start, a.length - end);
  const restB = b.slice(start, b.length - end);
  if (restA.length < 2 && restB.length < 2) return a !== b;
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
}

/** Returns whether only the country differs: `hotmail.se` exists as well as `hotmail.de`. */
const isOfOtherCountry = (a: string, b: string) => a.at(-3) === "." && a.slice(0, -2) === b.slice(0, -2);

const domainOf = (address: string) => address.slice(address.lastIndexOf("@") + 1).toLowerCase();

/**
 * Returns the corrected address if the domain is one typo away from a common one.
 *
 * Called while the visitor types, so it ignores the start of a common domain: `gmail.co` may become `gmail.com`.
 * Calling it on blur instead would shift the submit button away from the pointer that is about to press it.
 *
 * @example
 * suggestAddress("ada@gmial.com") // "ada@gmail.com"
 */
export function suggestAddress(typed: string): string | undefined {
  const address = typed.trim();
  const domain = domainOf(address);
  if (!address.includes("@") || DOMAINS.some((known) => known.startsWith(domain))) return undefined;
  const suggestion = DOMAINS.find((known) =>
    known.length >= MIN_SUGGESTED_LENGTH && isOneTypoAway(domain, known) && !isOfOtherCountry(domain, known)
  );
  return suggestion && address.slice(0, -domain.length) + suggestion;
}

/** A webmail service. */
export interface WebMail {
  readonly name: string;
  readonly href: string;
}

/** Returns the webmail service of an address, or undefined if its domain is unknown. */
export function webMailOf(address: string): WebMail | undefined {
  const domain = domainOf(address);
  const provider = PROVIDERS.find(([, , domains]) => domains.split(" ").includes(domain));
  return provider && { name: provider[0], href: `https://${provider[1]}` };
}
