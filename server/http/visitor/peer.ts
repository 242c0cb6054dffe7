import { normalizeIp } from "./ip_ranges.ts";

/** Deno Deploy's proxy sets it, and strips what a visitor sent under this name. */
const DEPLOY_HEADER = "x-deno-client-address";

/**
 * Returns the address of the other end of a connection on Deno Deploy, or undefined if nobody knows it.
 *
 * Some instances hand over no address at all; there the header of Deploy's own proxy is read instead. Elsewhere any
 * visitor could write it, so only the listener for Deploy calls this.
 *
 * @param remote `info.remoteAddr` of `Deno.serve`
 */
export function peerOf(
  remote: { hostname?: string | undefined } | undefined,
  headers: Headers,
): string | undefined {
  if (remote?.hostname) return remote.hostname;
  return normalizeIp(withoutPort(headers.get(DEPLOY_HEADER) ?? ""));
}

/** `192.0.2.1:443` and `[2001:db8::1]:443` name a port; a bare IPv6 address has colons of its own. */
function withoutPort(address: string): string {
  return /^\[(.+)\](:\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}
