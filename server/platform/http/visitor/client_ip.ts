import type { Context } from "hono";
import { normalizeIp } from "./ip_ranges.ts";
import { type IpSettings, visitorIp } from "./visitor_ip.ts";

/** The second argument of `app.fetch`: the listener knows the peer, Hono does not. */
export interface Peer {
  /** IP of the other end of the connection. */
  peer?: string;
}

/** Returns the client's IP. Throws only if the site's filter does. */
export type ClientIp = (c: Context) => Promise<string>;

export interface ClientIpOptions {
  baseUrl: string;
  /** Returns the current Privacy settings. */
  privacy(): IpSettings;
  /** The filter `cfbe_client_ip`; undefined if the site has none. */
  filter: ((ip: string, request: Request) => Promise<string>) | undefined;
}

/** Returns the IP of the other end of the connection; empty if unknown. */
export function peerIp(c: Context): string {
  return (c.env as Peer | undefined)?.peer ?? "";
}

/** Creates the function that finds the client's IP: by the Privacy settings, then `cfbe_client_ip` (contract 1.7). */
export function createClientIp({ baseUrl, privacy, filter }: ClientIpOptions): ClientIp {
  return async (c) => {
    const found = visitorIp(peerIp(c), c.req.raw.headers, privacy());
    if (!filter) return found;
    // Without the body, which the route reads. The URL may be invalid, because any visitor can send any Host.
    const { url, method, headers } = c.req.raw;
    const request = new Request(URL.canParse(url) ? url : baseUrl, { method, headers });
    return normalizeIp(await filter(found, request)) ?? found;
  };
}
