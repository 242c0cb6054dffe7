/**
 * Matches text that an email client would turn into a link. Spammers put links into names so that the confirmation
 * email carries them. A capital after a dot is part of a name (St.John) or begins a sentence, except in these top-level
 * domains in capitals, and in the known ones.
 */
const WEB_ADDRESS =
  /https?:|:\/\/|[Ww]{3}\.|\.\p{L}{2,}\/|[\p{L}\p{N}-]\.(?:\p{Ll}{2,}|TOP|STORE|LIVE|CLUB|WORLD|SPACE|FUN|IO|ME|EU|US)(?![\p{L}\p{N}])/u;
/** The well-known top-level domains that are neither names nor words that begin a sentence, in whatever capitals. */
const KNOWN_DOMAIN =
  /[\p{L}\p{N}-]\.(?:com|net|org|info|biz|xyz|icu|vip|app|shop|site|website|online|click|cyou|sbs|cfd|ru|рф|uk|tk|cc|cn)(?![\p{L}\p{N}])/iu;
/** Control characters, half characters (lone surrogates), line breaks and marks that change the text direction. */
const CONTROL = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Returns a text trimmed and in Unicode's composed form; undefined if it is not one line of well-formed text. */
export function oneLineText(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim().normalize("NFC");
  return CONTROL.test(text) ? undefined : text;
}

const OCTET = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";
const IP_ADDRESS = new RegExp(`(?<!\\p{N})(?:${OCTET}\\.){3}${OCTET}(?!\\p{N})`, "u");
/** Characters that browsers drop from a domain. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

/** Returns whether an email client would show a link in a text, in whatever characters the address is written. */
export function hasWebAddress(text: string): boolean {
  // NFKC has the usual character for wide and other forms of it, except for the full stop of Chinese and Japanese.
  const plain = text.normalize("NFKC").replace(IGNORED, "").replaceAll("\u3002", ".");
  return [WEB_ADDRESS, KNOWN_DOMAIN, IP_ADDRESS].some((pattern) => pattern.test(plain));
}

/** Returns the number of characters; an emoji outside of the basic plane counts as one. */
export const characterCount = (text: string): number => [...text].length;
