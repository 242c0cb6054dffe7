import ipaddr from "ipaddr.js";

const IPV4_BITS = 24;
/** The largest network that internet providers usually assign to one customer. */
const IPV6_BITS = 48;

/** Returns the network of an IP, wide enough that one attacker's many addresses count as one. */
export function networkOf(ip: string): string {
  if (ipaddr.IPv4.isValid(ip)) {
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${ip}/${IPV4_BITS}`)}/${IPV4_BITS}`;
  }
  if (!ipaddr.IPv6.isValid(ip)) return ip;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/${IPV6_BITS}`)}/${IPV6_BITS}`;
}
