import type { Hooks } from "../../settings/hooks/hooks.ts";
import { siteLimitOf } from "../../platform/limits/policies.ts";
import { SUBSCRIBE_PER_SITE } from "../../../shared/limits.ts";

/** A limit that a filter of the config file turns off, as one does to test a page. */
export interface LimitOff {
  filter: "cfbe_client_ip" | "cfbe_signup_site_limit";
  /** What no longer limits signups. */
  what: string;
}

/** An address for documentation (RFC 5737), which no visitor has. */
const EXAMPLE_IP = "192.0.2.1";

/**
 * Returns the limits that the site's filters turn off. Calls the filters: one that returns two IPs for the same request
 * invents them, so no IP reaches its limit.
 */
export async function limitsOff(
  { hooks, config: { baseUrl } }: { hooks: Hooks; config: { baseUrl: string } },
): Promise<LimitOff[]> {
  const found: LimitOff[] = [];
  if (hooks.has("cfbe_client_ip")) {
    const ip = () => hooks.filter("cfbe_client_ip", EXAMPLE_IP, new Request(baseUrl));
    if (await ip() !== await ip()) {
      found.push({
        filter: "cfbe_client_ip",
        what: "The limits per IP are off: the filter cfbe_client_ip returns another IP for the same request.",
      });
    }
  }
  if (hooks.has("cfbe_signup_site_limit")) {
    const perMinute = await hooks.filter("cfbe_signup_site_limit", SUBSCRIBE_PER_SITE.max);
    if (siteLimitOf(perMinute) === 0) {
      found.push({
        filter: "cfbe_signup_site_limit",
        what: "The limit of signups per minute is off: the filter cfbe_signup_site_limit returns 0.",
      });
    }
  }
  return found;
}
