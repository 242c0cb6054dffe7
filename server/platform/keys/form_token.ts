import { CLOCK_SKEW_MS, TOKEN_MAX_AGE_MS, TOKEN_MIN_AGE_MS } from "../../../shared/limits.ts";
import type { Keyring } from "./keyring.ts";

/** Why a form token is not accepted. Each leads to the same success message (contract 4.5). */
export type TokenFault = "token_missing" | "token_malformed" | "token_wrong" | "token_young" | "token_old";

/** Returns a token that proves when a form was shown: `<time>.<signature>` (contract 3.2). */
export function issueToken(keyring: Keyring, now: number): string {
  const time = String(Math.trunc(now));
  return `${time}.${keyring.sign("cfbe/form-token", time)}`;
}

/** About 200 bytes each. */
const MAX_VERIFIED = 1_000;

/**
 * Tokens whose signature a keyring has verified with the salts of a generation, oldest first. A flood of requests mostly repeats one token, and
 * verifying it again would be a fifth of the cost of a refusal.
 */
const verified = new WeakMap<object, Set<string>>();

/** Returns whether a token's signature is genuine. Remembers only those that are. */
function isGenuine(keyring: Keyring, token: string, time: string, signature: string): boolean {
  let known = verified.get(keyring.generation);
  if (known?.has(token)) return true;
  if (!keyring.verify("cfbe/form-token", time, signature)) return false;
  if (!known) verified.set(keyring.generation, known = new Set());
  if (known.size >= MAX_VERIFIED) known.delete(known.values().next().value!);
  known.add(token);
  return true;
}

/**
 * Checks a form token.
 *
 * @param token the request's `cfbe_token`, of any type
 * @returns the fault, or undefined if the token is genuine and between 3 s and 2 h old
 */
export function tokenFault(keyring: Keyring, token: unknown, now: number): TokenFault | undefined {
  if (token === undefined || token === null || token === "") return "token_missing";
  if (typeof token !== "string") return "token_malformed";
  const match = /^(\d{1,15})\.([A-Za-z0-9_-]{43})$/.exec(token);
  if (!match) return "token_malformed";
  const [, time, signature] = match as unknown as [string, string, string];
  if (!isGenuine(keyring, token, time, signature)) return "token_wrong";
  const age = now - Number(time);
  // A time far ahead was not issued by this clock (decision 8). One slightly ahead is only too young.
  if (age < -CLOCK_SKEW_MS) return "token_wrong";
  if (age < TOKEN_MIN_AGE_MS) return "token_young";
  if (age > TOKEN_MAX_AGE_MS) return "token_old";
  return undefined;
}
