import type { Context } from "hono";
import type { Log } from "../../deps.ts";
import { inRanges, normalizeIp } from "./ip_ranges.ts";
import type { ProxyHeaders } from "./proxy_headers.ts";
import { type IpSettings, visitorIp } from "./visitor_ip.ts";

/** What `app.fetch(request, …)` must be given: the listener knows the peer, Hono does not. */
export interface Peer {
  /** IP of the other end of the connection. */
  peer?: string;
}

/** Returns the visitor's IP; never throws unless the site's filter does. */
export type ClientIp = (c: Context) => Promise<string>;

export interface ClientIpOptions {
  baseUrl: string;
  log: Log;
  proxyHeaders: ProxyHeaders;
  /** The Privacy tab as it is now. */
  privacy(): IpSettings;
  /** The filter `cfbe_client_ip`. */
  filter(ip: string, request: Request): Promise<string>;
}

export function peerIp(c: Context): string {
  return (c.env as Peer | undefined)?.peer ?? "";
}

/** Finds the visitor's IP: the Privacy setting first, then the filter `cfbe_client_ip` (contract 1.7). */
export function createClientIp(
  { baseUrl, log, proxyHeaders, privacy, filter }: ClientIpOptions,
): ClientIp {
  return async (c) => {
    const peer = peerIp(c);
    const current = privacy();
    const found = visitorIp(peer, c.req.raw.headers, current);
    if (found === "" && proxyHeaders.read().unknown === 0) {
      log.error("visitor_ip.unknown", {
        message: "The host passes on no visitor's address: all visitors share one limit. See `cfbe doctor`.",
      });
    }
    proxyHeaders.note(c.req.raw.headers, found, inRanges(peer, current.trustedProxies));
    // Without the body, which the route reads itself. Any visitor may have written the Host in the URL.
    const { url, method, headers } = c.req.raw;
    const request = new Request(URL.canParse(url) ? url : baseUrl, { method, headers });
    return normalizeIp(await filter(found, request)) ?? found;
  };
}
