import type { Config } from "../../../platform/config/config.ts";
import { isLoopback } from "../../../platform/config/config.ts";

/** The site that passkeys belong to. */
export interface RelyingParty {
  /** The host of the public URL. Browsers use a passkey only there. */
  id: string;
  /** The origin of the public URL. */
  origin: string;
}

/** Why there can be no passkeys under the public URL. */
export const NO_PASSKEYS =
  "Passkeys need a public URL with https and a hostname, not an IP address. Set CFBE_BASE_URL.";

/** Returns the site of the public URL; undefined if browsers keep no passkeys for it. */
export function relyingPartyOf({ baseUrl }: Pick<Config, "baseUrl">): RelyingParty | undefined {
  const { hostname, origin, protocol } = new URL(baseUrl);
  // A parsed URL has each IPv4 address in this form, and IPv6 addresses in brackets.
  const isAddress = /^(\d+(\.\d+){3}|\[.*)$/.test(hostname);
  if (isAddress || (protocol !== "https:" && !isLoopback(baseUrl))) return undefined;
  return { id: hostname, origin };
}
