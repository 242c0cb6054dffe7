import ipaddr from "ipaddr.js";
import type { Settings } from "../settings/schema.ts";

const IPV6_SUBNET_BITS = 64;

/**
 * The visitor's IP by the Privacy setting (contract §5.5, decisions §5). A forwarded header counts only when it
 * was chosen; whatever is missing or malformed in it leaves the peer.
 *
 * @param peer address of the other end of the connection
 * @param headers of the request; any visitor may have written them
 * @returns an IP in its shortest spelling, IPv4-mapped IPv6 as IPv4, or the peer as given if even that is none
 */
export function visitorIp(peer: string, headers: Headers, privacy: Settings["privacy"]): string {
  const fallback = normalIp(peer) ?? peer;
  switch (privacy.ipSource) {
    case "default":
      return fallback;
    case "x-forwarded-for": {
      const entries = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
      return normalIp(entries.at(-privacy.trustedHops) ?? "") ?? fallback;
    }
    default:
      return normalIp(headers.get(privacy.ipSource) ?? "") ?? fallback;
  }
}

/** @returns the IP's one spelling, or undefined if it is none; ports, zones and octal forms are none */
export function normalIp(text: string): string | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).toString();
  if (!ipaddr.IPv6.isValid(text) || text.includes("%")) return undefined;
  const ip = ipaddr.IPv6.parse(text);
  return ip.isIPv4MappedAddress() ? ip.toIPv4Address().toString() : ip.toString();
}

/** What limits count: an IPv4 address, or the /64 that an IPv6 address lies in (contract §4.1.3). */
export function limitSubject(ip: string): string {
  if (!ipaddr.IPv6.isValid(ip)) return ip;
  return ipaddr.IPv6.networkAddressFromCIDR(`${ip}/${IPV6_SUBNET_BITS}`).toString() + `/${IPV6_SUBNET_BITS}`;
}
