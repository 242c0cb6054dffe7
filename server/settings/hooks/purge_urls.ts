import type { Clock, Log } from "../../platform/deps.ts";
import { exchange } from "../../platform/http/outbound.ts";
import { transport } from "../../platform/http/outbound/transport.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { signForSite } from "../../platform/tokens/sites/site_keys.ts";
import type { PurgeEvent } from "./types.ts";

const TIMEOUT_MS = 10_000;
/** Limit for a response, which is short and not used. */
const BODY_BYTES = 64 * 1024;

/** A URL to call. */
export interface PurgeTarget {
  url: string;
  /** ID of the connected site whose URL it is, so that it verifies the request with its own key. */
  site?: string;
}

/** The route of the WordPress plugin, in the path or, without pretty permalinks, in the query. */
const PLUGIN_ROUTE = "/cfbe-bridge/v1/purge";

/** A connected site, with the URL of its home page. */
interface Site {
  id: string;
  url: string;
  /** Sites that were added by hand have none: an admin copies it into the settings. */
  purgeUrl?: string;
}

/** Returns all URLs to call, each once. */
export function purgeTargets(urls: readonly string[], sites: readonly Site[]): PurgeTarget[] {
  const ofSites = new Map(sites.flatMap(({ id, purgeUrl }) => purgeUrl ? [[purgeUrl, id] as const] : []));
  return [
    ...urls.filter((url) => !ofSites.has(url)).map((url) => {
      const site = siteOf(url, sites);
      return { url, ...site && { site: site.id } };
    }),
    ...[...ofSites].map(([url, site]) => ({ url, site })),
  ];
}

/** Returns the site whose plugin has a URL: of several in one network, that with the longest home page. */
function siteOf(url: string, sites: readonly Site[]): Site | undefined {
  const parsed = URL.parse(url);
  const route = parsed?.searchParams.get("rest_route") ?? parsed?.pathname;
  if (!route?.endsWith(PLUGIN_ROUTE)) return undefined;
  return sites.filter((site) => url.startsWith(`${site.url.replace(/\/+$/, "")}/`))
    .toSorted((a, b) => b.url.length - a.url.length)[0];
}

/**
 * Requests every URL that empties a page cache, signed for the receiver to verify: `X-CFBE-Signature` signs the time in
 * `X-CFBE-Timestamp` (Unix seconds), a dot and the body. For a connected site, it has a signature with each of the site's keys,
 * separated by commas. Each failure is logged and does not stop the others.
 */
export async function requestPurges(
  targets: readonly PurgeTarget[],
  event: PurgeEvent,
  { keyring, clock, log }: { keyring: Keyring; clock: Clock; log: Pick<Log, "warn"> },
): Promise<void> {
  const body = JSON.stringify(event);
  const time = String(Math.floor(clock.now() / 1000));
  const signed = `${time}.${body}`;
  const headersFor = (site: string | undefined) => ({
    "content-type": "application/json",
    "x-cfbe-timestamp": time,
    "x-cfbe-signature": site === undefined
      ? keyring.sign("cfbe/purge", signed)
      : signForSite(keyring, site, "cfbe/purge", signed).join(","),
  });
  const ends = await Promise.all(targets.map(({ url, site }) =>
    exchange(
      transport,
      { method: "POST", url, headers: headersFor(site), body },
      { timeoutMs: TIMEOUT_MS, bodyBytes: BODY_BYTES },
    )
  ));
  for (const [at, ended] of ends.entries()) {
    if (ended.kind === "answered" && ended.status >= 200 && ended.status < 300) continue;
    // Not the rest of the URL, which may contain a secret.
    log.warn("purge.failed", {
      host: URL.parse(targets[at]!.url)?.host,
      detail: ended.kind === "answered" ? `HTTP ${ended.status}` : ended.detail,
    });
  }
}
