import type { Policy } from "../limits/policies.ts";
import { admit, type Log } from "../limits/sliding_log.ts";

/**
 * One step a signup must pass, in the order its source puts them: a limit that counts it, or a refusal that the
 * source has already found. A refusal still spends the limits in front of it (decisions §4).
 */
export type Gate<Refusal> = { limit: Policy } | { refuse: Refusal };

export type Admission<Refusal> =
  | { kind: "accepted" }
  | { kind: "limited"; by: Policy["name"]; retryAfterMs: number }
  | { kind: "refused"; refusal: Refusal }
  /** The owner's filter said no. Nobody is told: outside it looks accepted. */
  | { kind: "filtered" };

/** A limit that was passed, and the log it leaves. */
export interface Spent {
  policy: Policy;
  times: number[];
}

/** The limits among the gates, in their order: the logs to read together. */
export function limitsOf(gates: readonly Gate<unknown>[]): Policy[] {
  return gates.flatMap((gate) => "limit" in gate ? [gate.limit] : []);
}

/**
 * Walk through the gates.
 *
 * @param logs of `limitsOf(gates)`, in that order
 * @returns what became of it, and what it spent on the way, which is to be written whatever became of it
 */
export function passGates<Refusal>(
  gates: readonly Gate<Refusal>[],
  logs: readonly Log[],
  now: number,
): { admission: Admission<Refusal>; spent: Spent[] } {
  const spent: Spent[] = [];
  for (const gate of gates) {
    if ("refuse" in gate) return { admission: { kind: "refused", refusal: gate.refuse }, spent };
    const { limit: policy } = gate;
    const verdict = admit(logs[spent.length] ?? [], now, policy.limit);
    if (!verdict.admitted) {
      return { admission: { kind: "limited", by: policy.name, retryAfterMs: verdict.retryAfterMs }, spent };
    }
    spent.push({ policy, times: verdict.log });
  }
  return { admission: { kind: "accepted" }, spent };
}
