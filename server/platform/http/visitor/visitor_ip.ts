import ipaddr from "ipaddr.js";
import { inRanges, normalizeIp } from "./ip_ranges.ts";

const IPV6_SUBNET_BITS = 64;

/** The Privacy settings for the source of the visitor's IP. */
export interface IpSettings {
  /** `default` is the peer; the others are names of headers. */
  ipSource: "default" | "cf-connecting-ip" | "x-forwarded-for" | "x-real-ip";
  /** Which entry of `X-Forwarded-For` counts, from the right; the last entry is 1. */
  trustedHops: number;
  /** Peers whose forwarded headers are trusted, as IPs and CIDR ranges. */
  trustedProxies: string[];
}

/**
 * Returns the visitor's IP by the Privacy settings (contract 1.7, decision 15). A forwarded header counts only if it is
 * the chosen source and the peer is a trusted proxy. If it is missing or malformed, the peer counts.
 *
 * @param peer IP of the other end of the connection
 * @param headers of the request; a visitor can send any value
 * @returns the IP in its canonical form, IPv4-mapped IPv6 as IPv4; or `peer` unchanged if it is not an IP
 */
export function visitorIp(peer: string, headers: Headers, privacy: IpSettings): string {
  const fallback = normalizeIp(peer) ?? peer;
  if (privacy.ipSource === "default" || !inRanges(peer, privacy.trustedProxies)) return fallback;
  switch (privacy.ipSource) {
    case "x-forwarded-for": {
      const entries = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
      return normalizeIp(withoutPort(entries.at(-privacy.trustedHops) ?? "")) ?? fallback;
    }
    default:
      return normalizeIp(headers.get(privacy.ipSource) ?? "") ?? fallback;
  }
}

/** Returns an IP as it is without the port that some load balancers add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (entry: string) => entry.replace(/^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i, "$1$2");

/** Returns the subject of limits: an IPv4 address itself, or the /64 of an IPv6 address (contract 5.2). */
export function limitSubject(ip: string): string {
  if (!ipaddr.IPv6.isValid(ip)) return ip;
  return ipaddr.IPv6.networkAddressFromCIDR(`${ip}/${IPV6_SUBNET_BITS}`).toString() + `/${IPV6_SUBNET_BITS}`;
}
