import ipaddr from "ipaddr.js";

const IPV4_BITS = 24;
/** The largest network that internet providers usually assign to one customer. */
const IPV6_BITS = 48;
/** What many of them assign to a home. */
const IPV6_HOME_BITS = 56;

/** Returns the network of an IP, wide enough that one attacker's many addresses count as one. */
export const networkOf = (ip: string): string => within(ip, IPV6_BITS);

/** Returns the network of an IP, and the one in it that one home has; of an IPv4 address, twice the same. */
export const networksOf = (ip: string): [larger: string, home: string] => [
  networkOf(ip),
  within(ip, IPV6_HOME_BITS),
];

/** Ranges of ipaddr.js that nobody on the internet has an address in, those for documentation among them. */
const NOT_PUBLIC: ReadonlySet<string> = new Set([
  "unspecified",
  "broadcast",
  "multicast",
  "linkLocal",
  "loopback",
  "private",
  "carrierGradeNat",
  "uniqueLocal",
  "reserved",
]);

/** Returns whether an IP can be that of a visitor from the internet. */
export const isPublicIp = (ip: string): boolean =>
  ipaddr.isValid(ip) && !NOT_PUBLIC.has(ipaddr.parse(ip).range());

function within(ip: string, ipv6Bits: number): string {
  if (ipaddr.IPv4.isValid(ip)) {
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${ip}/${IPV4_BITS}`)}/${IPV4_BITS}`;
  }
  if (!ipaddr.IPv6.isValid(ip)) return ip;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/${ipv6Bits}`)}/${ipv6Bits}`;
}
