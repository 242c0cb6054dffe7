import type { BluefoxResponse } from "../http.ts";

/** The message of a 405 that is about the account. */
export const CREDITS = "Insufficient credits available.";

export const error = (status: number, message?: string): BluefoxResponse =>
  message === undefined ? { kind: "error", status } : { kind: "error", status, problem: message };
export const result = (value: unknown): BluefoxResponse => ({ kind: "ok", status: 200, body: value });

/** Returns the kind and, for trouble, whether the call may have taken effect. */
export function short(outcome: { kind: string; unknown?: boolean }): string {
  return outcome.kind === "trouble" ? `trouble ${outcome.unknown ? "unknown" : "known"}` : outcome.kind;
}
