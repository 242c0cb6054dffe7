import ipaddr from "ipaddr.js";

/** Loopback, link-local and private networks, where the site's own reverse proxy usually is. */
export const LOCAL_RANGES: readonly string[] = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "::1/128",
  "fc00::/7",
  "fe80::/10",
];

/** An IPv4 address in its canonical form. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Returns the IP in its canonical form, or undefined if it is invalid; ports, zones and octal forms are invalid. */
export function normalizeIp(text: string): string | undefined {
  if (IPV4.test(text)) return text;
  if (!ipaddr.IPv6.isValid(text) || text.includes("%")) return undefined;
  const ip = ipaddr.IPv6.parse(text);
  return ip.isIPv4MappedAddress() ? ip.toIPv4Address().toString() : ip.toString();
}

/** Returns true for a CIDR range, such as `10.0.0.0/8`, and for a single IP. */
export function isRange(text: string): boolean {
  return parseRange(text) !== undefined;
}

/** Returns true if the IP is in one of the ranges; IPv4-mapped IPv6 counts as IPv4. Invalid input is in no range. */
export function inRanges(ip: string, ranges: readonly string[]): boolean {
  if (latest?.ip !== ip || latest.ranges !== ranges) latest = { ip, ranges, isIn: isInRanges(ip, ranges) };
  return latest.isIn;
}

/** The latest result of `inRanges`, because behind a reverse proxy every request has the same peer. */
let latest: { ip: string; ranges: readonly string[]; isIn: boolean } | undefined;

function isInRanges(ip: string, ranges: readonly string[]): boolean {
  const normal = normalizeIp(ip);
  if (normal === undefined) return false;
  const address = ipaddr.parse(normal);
  return parsed(ranges).some((range) => range[0].kind() === address.kind() && address.match(range));
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Parsed lists, because the same settings apply to every request. */
const cache = new WeakMap<readonly string[], Range[]>();

function parsed(ranges: readonly string[]): Range[] {
  let found = cache.get(ranges);
  if (!found) cache.set(ranges, found = ranges.map(parseRange).filter((range) => range !== undefined));
  return found;
}

function parseRange(text: string): Range | undefined {
  const slash = text.indexOf("/");
  const ip = slash < 0 ? text : text.slice(0, slash);
  // Rejects forms that ipaddr.js would accept: octal, hexadecimal and short forms, and zones.
  const normal = normalizeIp(ip);
  if (normal === undefined || (normal.includes(".") && ip.includes(":"))) return undefined;
  const address = ipaddr.parse(normal);
  const most = address.kind() === "ipv4" ? 32 : 128;
  if (slash < 0) return [address, most];
  const bits = text.slice(slash + 1);
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? [address, Number(bits)] : undefined;
}
