/** With what a user proves who they are; `code`: with that of the second factor, after a session of the identity provider. */
export type ProvedBy = "password" | "passkey" | "identity" | "code";

/** What an action asks for: any proof of the last ten minutes, or one without a password. */
export type AsksProof = boolean | "without-password";

/** How long a proof counts for actions with `asksPassword` (`docs/security.md`). */
const PROOF_MS = 10 * 60_000;
/** Returns whether the user has proved who they are lately. A time that is as far ahead comes from a wrong clock. */
export function isProved({ provedAt }: { provedAt: number }, now: number): boolean {
  return Math.abs(now - provedAt) < PROOF_MS;
}

/** Returns whether the user has proved who they are as an action asks for. */
export function isProvedFor(
  session: { provedAt: number; provedBy: ProvedBy },
  asks: AsksProof,
  now: number,
): boolean {
  const isEnough = asks !== "without-password" || session.provedBy === "passkey" ||
    session.provedBy === "identity";
  return isEnough && isProved(session, now);
}
