import { normalIp } from "./visitor_ip.ts";

/** Deno Deploy's proxy sets it, and strips what a visitor sent under this name. */
const DEPLOY_HEADER = "x-deno-client-address";

/**
 * Returns the address of the other end of a connection, or undefined if the runtime does not know it.
 *
 * On Deno Deploy some instances hand over no address at all; there, and only there, the header of Deploy's own proxy is
 * read instead. Elsewhere any visitor could write it.
 *
 * @param remote `info.remoteAddr` of `Deno.serve`
 */
export function peerOf(
  remote: { hostname?: string | undefined } | undefined,
  headers: Headers,
  deploy: boolean,
): string | undefined {
  if (remote?.hostname) return remote.hostname;
  if (!deploy) return undefined;
  return normalIp(withoutPort(headers.get(DEPLOY_HEADER) ?? ""));
}

/** `192.0.2.1:443` and `[2001:db8::1]:443` name a port; a bare IPv6 address has colons of its own. */
function withoutPort(address: string): string {
  return /^\[(.+)\](:\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}
