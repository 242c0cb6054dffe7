import ipaddr from "ipaddr.js";
import { inRanges, normalizeIp } from "./ip_ranges.ts";

const IPV6_SUBNET_BITS = 64;

/** The part of the Privacy settings that says where the visitor's IP is. */
export interface IpSettings {
  /** `default` is the peer; the others are names of headers. */
  ipSource: "default" | "cf-connecting-ip" | "x-forwarded-for" | "x-real-ip";
  /** Which entry of `X-Forwarded-For` counts, from its end; the last is 1. */
  trustedHops: number;
  /** Peers whose forwarded header counts, as IPs and CIDR ranges. */
  trustedProxies: string[];
}

/**
 * Returns the visitor's IP by the Privacy setting (contract 1.7, decision 15). A forwarded header counts only when it
 * was chosen and the peer is a trusted proxy; where it is missing or malformed, the peer counts.
 *
 * @param peer address of the other end of the connection
 * @param headers of the request; any visitor may have written them
 * @returns an IP in its shortest spelling, IPv4-mapped IPv6 as IPv4, or the peer as given if it is no IP
 */
export function visitorIp(peer: string, headers: Headers, privacy: IpSettings): string {
  const fallback = normalizeIp(peer) ?? peer;
  if (privacy.ipSource === "default" || !inRanges(peer, privacy.trustedProxies)) return fallback;
  switch (privacy.ipSource) {
    case "x-forwarded-for": {
      const entries = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
      return normalizeIp(entries.at(-privacy.trustedHops) ?? "") ?? fallback;
    }
    default:
      return normalizeIp(headers.get(privacy.ipSource) ?? "") ?? fallback;
  }
}

/** What limits count: an IPv4 address, or the /64 that an IPv6 address lies in (contract 5.2). */
export function limitSubject(ip: string): string {
  if (!ipaddr.IPv6.isValid(ip)) return ip;
  return ipaddr.IPv6.networkAddressFromCIDR(`${ip}/${IPV6_SUBNET_BITS}`).toString() + `/${IPV6_SUBNET_BITS}`;
}
