import type { FieldErrors } from "../../../shared/contract.ts";
import { admitTo, type LimitVerdict, type Policy } from "../../platform/limits/policies.ts";
import type { Admissions } from "../../platform/limits/shared_log.ts";

/** The result of a signup, from any source. */
export type Admission = Accepted | Filtered | Limited | Refused;

export interface Accepted {
  kind: "accepted";
  /** The site's limit is full, because one network has filled it, and this visitor is from another. */
  beyondLimit?: true;
}

/** The site's filter dropped it. The response is the same as for an accepted signup. */
export interface Filtered {
  kind: "filtered";
  /** Not the filter: another signup has used its proof. */
  proofUsed?: true;
}

/** It is over a limit. */
export interface Limited {
  kind: "limited";
  by: Policy["name"];
  retryAfterMs: number;
}

/** Its route refused it, before it reached the signup service. */
export interface Refused {
  kind: "refused";
  refusal: Refusal;
}

export type Refusal =
  | { reason: "invalid"; fields: FieldErrors }
  | { reason: "not_configured" };

/** The new log of a limit, to be written in the commit. */
export interface LimitWrite {
  policy: Policy;
  log: Admissions;
}

/** The result of counting a request against its limits. */
export interface LimitCheck {
  /** Set when the request is over a limit: the first one, in order. */
  limited?: Limited;
  writes: LimitWrite[];
  /** The verdict of each limit up to the one that the request exceeds. */
  verdicts: { policy: Policy; verdict: LimitVerdict }[];
}

/**
 * Counts one request against each limit, in order, up to the first limit that it exceeds. A request over a limit still
 * counts for the earlier limits that count all requests, and not only accepted ones (decision 14).
 *
 * @param logs the log of each limit, in the same order
 */
export function checkLimits(limits: readonly Policy[], logs: readonly Admissions[], now: number): LimitCheck {
  const writes: LimitWrite[] = [];
  const verdicts: LimitCheck["verdicts"] = [];
  for (const [index, policy] of limits.entries()) {
    const verdict = admitTo(policy, logs[index] ?? { times: [] }, now);
    verdicts.push({ policy, verdict });
    if (verdict.admitted) {
      writes.push({ policy, log: verdict.log });
      continue;
    }
    const { retryAfterMs, corrected } = verdict;
    const refusedWrites = writesWhenRefused(writes);
    if (corrected) refusedWrites.push({ policy, log: corrected });
    return { limited: limitedBy(policy, retryAfterMs), writes: refusedWrites, verdicts };
  }
  return { writes, verdicts };
}

/** Returns the result of a request over a limit. */
export function limitedBy({ name }: Policy, retryAfterMs: number): Limited {
  return { kind: "limited", by: name, retryAfterMs };
}

/** Returns the writes for a refused signup: only limits that count all requests, and not only accepted ones. */
export function writesWhenRefused(writes: readonly LimitWrite[]): LimitWrite[] {
  return writes.filter(({ policy }) => !policy.countsAccepted);
}
