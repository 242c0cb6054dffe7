import { loadOnce } from "../../platform/load_once.ts";

/** The tag of a signup with such an address, at the provider and in the record. */
export const DISPOSABLE_TAG = "disposable";

/** Loaded with the first signup of a process: about 9,000 domains. */
const disposableDomains = loadOnce(async (): Promise<ReadonlySet<string>> => {
  const { disposableEmailBlocklistSet } = await import("disposable-email-domains-js");
  return disposableEmailBlocklistSet();
});

/**
 * Returns whether the inbox of an address exists for a short time only, or is open to everybody, by the list of
 * `disposable-email-domains-js`. Without the list, none is: no signup depends on it.
 *
 * @param email normalized
 */
export async function isDisposable(email: string): Promise<boolean> {
  const domains = await disposableDomains().catch(() => undefined);
  return domains !== undefined && isIn(domains, email.slice(email.lastIndexOf("@") + 1));
}

/** Returns whether a domain, or one that it is a subdomain of, is in the list. */
function isIn(domains: ReadonlySet<string>, domain: string): boolean {
  for (let rest = domain; rest.includes("."); rest = rest.slice(rest.indexOf(".") + 1)) {
    if (domains.has(rest)) return true;
  }
  return false;
}
