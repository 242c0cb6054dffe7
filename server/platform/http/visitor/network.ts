import ipaddr from "ipaddr.js";

const IPV4_BITS = 24;
/** The largest network that internet providers usually assign to one customer. */
const IPV6_BITS = 48;
/** What many of them assign to a home. */
const IPV6_HOME_BITS = 56;

/** Returns the network of an IP, wide enough that one attacker's many addresses count as one. */
export const networkOf = (ip: string): string => within(ip, IPV6_BITS);

/** Returns the network of an IP, and the one in it that one home has; of an IPv4 address, twice the same. */
export function networksOf(ip: string): [larger: string, home: string] {
  if (latest?.ip !== ip) {
    const home = within(ip, IPV6_HOME_BITS);
    latest = { ip, networks: [ip.includes(":") ? networkOf(ip) : home, home] };
  }
  return latest.networks;
}

/** The latest result of `networksOf`, because one request needs it several times. */
let latest: { ip: string; networks: [larger: string, home: string] } | undefined;

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

/** @param ipv6Bits whole bytes, like `IPV4_BITS`: setting them to 0 takes half the time of `networkAddressFromCIDR` */
function within(ip: string, ipv6Bits: number): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.parse(ip);
  const [kind, bits] = address.kind() === "ipv4" ? [ipaddr.IPv4, IPV4_BITS] : [ipaddr.IPv6, ipv6Bits];
  return `${new kind(address.toByteArray().fill(0, bits / 8))}/${bits}`;
}
