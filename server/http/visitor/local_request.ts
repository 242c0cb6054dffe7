import { isLoopback } from "../../config.ts";
import { inRanges } from "./ip_ranges.ts";
import { FORWARDED } from "./proxy_headers.ts";

const LOOPBACK = ["127.0.0.0/8", "::1"];

/**
 * Returns true for a request that a program on this machine sent straight to us. The Host has to be a loopback name as
 * well: a page elsewhere can have its own name point to 127.0.0.1 (DNS rebinding), and its scripts then read what we
 * answer. A proxy on this machine speaks for others, so a forwarded header makes the request theirs.
 */
export function isLocalRequest(headers: Headers, peer: string | undefined): boolean {
  const host = headers.get("host") ?? "";
  return peer !== undefined && inRanges(peer, LOOPBACK) &&
    URL.canParse(`http://${host}`) && isLoopback(`http://${host}`) &&
    ![...FORWARDED, "forwarded"].some((name) => headers.has(name));
}
