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

/** Returns visitor `n`, from 1 to 2,500,000: each has another address and another IP. */
export function visitor(n: number, standing: Standing = "visitor"): Visitor {
  return {
    email: `${standing}-${String(n).padStart(8, "0")}@site.example`,
    ip: `10.${100 + (n >> 14)}.${100 + (n >> 7 & 127)}.${100 + (n & 127)}`,
  };
}

/** Returns the number of a visitor from its email address. */
export function visitorNumber(email: string): number {
  return Number(/^[a-z]+-(\d+)@/.exec(email)?.[1]);
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
