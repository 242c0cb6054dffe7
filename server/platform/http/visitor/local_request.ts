import { isLoopback } from "../../config/config.ts";
import { inRanges } from "./ip_ranges.ts";
import { FORWARDED } from "./proxy_headers.ts";

const LOOPBACK = ["127.0.0.0/8", "::1"];

/**
 * Returns true for a request that a program on this machine sent directly. The Host must be a loopback name too: a
 * website can point its own domain to 127.0.0.1 (DNS rebinding), and its scripts could then read the response. A request
 * with a forwarded header is not local, because a proxy on this machine passed it on.
 */
export function isLocalRequest(headers: Headers, peer: string | undefined): boolean {
  const host = headers.get("host") ?? "";
  return peer !== undefined && inRanges(peer, LOOPBACK) &&
    URL.canParse(`http://${host}`) && isLoopback(`http://${host}`) &&
    ![...FORWARDED, "forwarded"].some((name) => headers.has(name));
}
