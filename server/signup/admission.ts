import { admitTo, type Policy } from "../limits/policies.ts";
import type { Log } from "../limits/sliding_log.ts";

/**
 * One step a signup must pass, in the order its source puts them: a limit that counts it, or a refusal that the
 * source has already found. A refusal spends the limits in front of it that count requests
 * (decision 14).
 */
export type Gate<Refusal> = { limit: Policy } | { refuse: Refusal };

export type Admission<Refusal> =
  | { kind: "accepted" }
  | { kind: "limited"; by: Policy["name"]; retryAfterMs: number }
  | { kind: "refused"; refusal: Refusal }
  /** The owner's filter said no. Nobody is told: outside it looks accepted. */
  | { kind: "filtered" };

/** The log of a limit, to be written back. */
export interface Spent {
  policy: Policy;
  times: number[];
}

/** The limits among the gates, in their order: the logs to read together. */
export function limitsOf(gates: readonly Gate<unknown>[]): Policy[] {
  return gates.flatMap((gate) => "limit" in gate ? [gate.limit] : []);
}

/**
 * Walks through the gates.
 *
 * @param logs of `limitsOf(gates)`, in that order
 * @returns the admission, and the logs to write whatever became of it
 */
export function passGates<Refusal>(
  gates: readonly Gate<Refusal>[],
  logs: readonly Log[],
  now: number,
): { admission: Admission<Refusal>; spent: Spent[] } {
  const passed: Spent[] = [];
  for (const gate of gates) {
    if ("refuse" in gate) {
      return { admission: { kind: "refused", refusal: gate.refuse }, spent: spentByRefusal(passed) };
    }
    const { limit: policy } = gate;
    const verdict = admitTo(policy, logs[passed.length] ?? [], now);
    if (!verdict.admitted) {
      const { retryAfterMs, corrected } = verdict;
      const spent = spentByRefusal(passed);
      if (corrected) spent.push({ policy, times: corrected });
      return { admission: { kind: "limited", by: policy.name, retryAfterMs }, spent };
    }
    passed.push({ policy, times: verdict.log });
  }
  return { admission: { kind: "accepted" }, spent: passed };
}

/** Returns what a refused signup spends: the limits that it passed and that count requests. */
export function spentByRefusal(passed: readonly Spent[]): Spent[] {
  return passed.filter(({ policy }) => !policy.countsAccepted);
}
