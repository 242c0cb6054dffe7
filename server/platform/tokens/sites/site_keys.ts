import { Buffer } from "node:buffer";
import { deriveKey, type Hmac, hmacWith, type Keyring, verifies } from "../../keys/keyring.ts";
import type { PurposeOf } from "../../keys/purposes.ts";

/** What a site's key is used for. One key per purpose is derived from it, as from a salt. */
export type SitePurpose = PurposeOf<"signing"> & ("cfbe/form-config" | "cfbe/purge");

/** Of what the secret of a shop's webhooks is derived. WooCommerce signs with its characters, not with bytes. */
const WEBHOOKS = "cfbe/shop-hook";

/** The derived keys of each keyring, by site and purpose. Bounded: only connected sites are asked for. */
const derived = new WeakMap<object, Map<string, Hmac[]>>();

function hmacsOf(keyring: Keyring, site: string, purpose: SitePurpose): Hmac[] {
  const { generation } = keyring;
  let known = derived.get(generation);
  if (!known) derived.set(generation, known = new Map());
  const name = `${site} ${purpose}`;
  let hmacs = known.get(name);
  if (!hmacs) {
    hmacs = keyring.siteKeys(site).map((key) => hmacWith(deriveKey(key, purpose)));
    known.set(name, hmacs);
  }
  return hmacs;
}

/** Verifies a signature of a site that is connected. Takes constant time for signatures of the same length. */
export function verifySite(
  keyring: Keyring,
  site: string,
  purpose: SitePurpose,
  text: string,
  signature: string,
): boolean {
  return verifies(hmacsOf(keyring, site, purpose), text, signature);
}

/**
 * Signs a text for a site, with each of its keys, newest first: after a rotation, the site has an earlier one until it
 * asks for the current one.
 */
export function signForSite(keyring: Keyring, site: string, purpose: SitePurpose, text: string): string[] {
  return hmacsOf(keyring, site, purpose).map((hmac) => hmac(text).toString("base64url"));
}

/** Returns the secrets that a site's webhooks may be signed with, newest first. */
export function webhookSecretsOf(keyring: Keyring, site: string): string[] {
  return keyring.siteKeys(site).map((key) => Buffer.from(deriveKey(key, WEBHOOKS)).toString("base64url"));
}

/** Returns the current key of a site as it is given to it, with the site's ID, so that both are copied together. */
export function siteKeyText(keyring: Keyring, site: string): string {
  return `cfbe_site_${site}_${Buffer.from(keyring.siteKeys(site)[0]!).toString("base64url")}`;
}
