import { NAMESPACE } from "../../shared/contract.ts";
import type { HttpRequest } from "./connection.ts";

/** One visitor of the load. */
export interface Visitor {
  email: string;
  ip: string;
}

/** The visitor whose commit is recorded. Its address and IP are as long as those of the load. */
export const SAMPLE: Visitor = { email: "visitor-00000000@site.example", ip: "10.100.100.100" };

/** What the stand-in for the provider knows about an address before its first signup: that it is active or suppressed. */
export type Standing = "visitor" | "active" | "suppressed";

/**
 * The order of addresses and IPs: multiplied by a number without a common divisor, each number below the limit comes once,
 * in an order that is random to a database. Addresses in the order of its keys would change fewer of its pages.
 */
const EMAILS = { below: 100_000_000n, factor: 61_803_399n, inverse: 82_636_599n };
const IPS = { below: 153 << 14, factor: 1_618_033 };

/** Returns visitor `n`, from 1 to 2,500,000: each has another address and another IP. */
export function visitor(n: number, standing: Standing = "visitor"): Visitor {
  const name = BigInt(n) * EMAILS.factor % EMAILS.below;
  const host = n * IPS.factor % IPS.below;
  return {
    email: `${standing}-${String(name).padStart(8, "0")}@site.example`,
    ip: `10.${100 + (host >> 14)}.${100 + (host >> 7 & 127)}.${100 + (host & 127)}`,
  };
}

/** Returns the number of a visitor from its email address. */
export function visitorNumber(email: string): number {
  const name = /^[a-z]+-(\d+)@/.exec(email)?.[1];
  return name === undefined ? NaN : Number(BigInt(name) * EMAILS.inverse % EMAILS.below);
}

/** Returns the standing of a visitor from its email address. */
export function standingOf(email: string): Standing {
  const [standing] = email.split("-");
  return standing === "active" || standing === "suppressed" ? standing : "visitor";
}

export function postSignup({ email, ip }: Visitor, token: string): HttpRequest & { body: string } {
  return {
    method: "POST",
    path: `${NAMESPACE}/subscribe`,
    headers: { "content-type": "application/json", "x-real-ip": ip },
    body: JSON.stringify({ source: "shortcode", email, cfbe_token: token }),
  };
}

export const GET_TOKEN: HttpRequest = { method: "GET", path: `${NAMESPACE}/form-token`, headers: {} };
