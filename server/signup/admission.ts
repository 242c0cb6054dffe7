import type { FieldName } from "../../shared/contract.ts";
import { admitTo, type Policy } from "../limits/policies.ts";
import type { Log } from "../limits/sliding_log.ts";

/** What became of a signup that a source handed in. */
export type Admission = Accepted | Filtered | Limited | Refused;

export interface Accepted {
  kind: "accepted";
}

/** The site's filter refused it. From outside it looks accepted. */
export interface Filtered {
  kind: "filtered";
}

/** One request more than a limit allows. */
export interface Limited {
  kind: "limited";
  by: Policy["name"];
  retryAfterMs: number;
}

/** Its source found a reason to refuse it. */
export interface Refused {
  kind: "refused";
  refusal: Refusal;
}

export type Refusal =
  | { reason: "invalid"; fields: Partial<Record<FieldName, string>> }
  | { reason: "not_configured" };

/** The log of a limit, to be written back. */
export interface LimitWrite {
  policy: Policy;
  times: number[];
}

/** What a request spends of its limits, and the first one that it exceeds. */
export interface LimitCheck {
  limited?: Limited;
  spent: LimitWrite[];
}

/**
 * Counts one request against each limit, in order. A request over one of them spends those in front of it that count
 * requests (decision 14).
 *
 * @param logs of the limits, in their order
 */
export function checkLimits(limits: readonly Policy[], logs: readonly Log[], now: number): LimitCheck {
  const spent: LimitWrite[] = [];
  for (const [index, policy] of limits.entries()) {
    const verdict = admitTo(policy, logs[index] ?? [], now);
    if (verdict.admitted) {
      spent.push({ policy, times: verdict.log });
      continue;
    }
    const { retryAfterMs, corrected } = verdict;
    const kept = writesWhenRefused(spent);
    if (corrected) kept.push({ policy, times: corrected });
    return { limited: { kind: "limited", by: policy.name, retryAfterMs }, spent: kept };
  }
  return { spent };
}

/** Returns what a refused signup spends: the limits that it passed and that count requests. */
export function writesWhenRefused(passed: readonly LimitWrite[]): LimitWrite[] {
  return passed.filter(({ policy }) => !policy.countsAccepted);
}
