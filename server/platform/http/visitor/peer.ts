import { normalizeIp } from "./ip_ranges.ts";

/** Set by Deno Deploy's proxy, which removes the header if a visitor sends it. */
const DEPLOY_HEADER = "x-deno-client-address";

/**
 * Returns the IP of the other end of a connection on Deno Deploy, or undefined if it is unknown.
 *
 * Some instances pass on no address; then the header of Deploy's own proxy counts. On other hosts any visitor could set
 * that header, so only the listener for Deploy calls this.
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

/** Removes the port of `192.0.2.1:443` and `[2001:db8::1]:443`; a plain IPv6 address contains colons too. */
function withoutPort(address: string): string {
  return /^\[(.+)\](:\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}
