import { TOKEN_MAX_AGE_MS } from "../../../shared/limits.ts";
import { mailboxOf } from "../../../shared/mailbox.ts";
import type { Hooks } from "../../settings/hooks/hooks.ts";
import { addJob } from "../../platform/jobs/add.ts";
import type { Fence } from "../../platform/jobs/handler.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import type { Decision } from "../../platform/kv/cas.ts";
import { type Entry, type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Policies, Policy } from "../../platform/limits/policies.ts";
import {
  type Accepted,
  type Filtered,
  type LimitCheck,
  type Limited,
  type LimitWrite,
  type Refusal,
  type Refused,
  writesWhenRefused,
} from "./admission.ts";
import { deliverJob } from "../delivery/job.ts";
import { filterSignup } from "./filter_signup.ts";
import { createLimitedCommits, type LimitedCommitsDeps, putLogs, writeLogs } from "./limited_commits.ts";
import { consentOf } from "../record/consents.ts";
import type { SignupProviders } from "../record/provider_of.ts";
import { putSignup } from "../record/record.ts";
import { type Signup, signupKey } from "../record/row.ts";

export interface SignupOptions {
  /** Delay of the delivery in milliseconds; 0 by default. */
  deliverInMs?: number;
  /** Once-only marker, set in the same commit. If it is already set, the signup was accepted before. */
  once?: Key<unknown>;
  /** A proof of the visitor (`platform/attack/challenge.ts`), marked as used in the same commit. It counts once. */
  proof?: Key<ProofRow> | undefined;
  /** Fence of the job that submits the signup: nothing is accepted after the job has lost its lease. */
  fence?: Fence;
}

/**
 * Accepts and refuses signups from every source. Both methods throw `Contended` when other writers keep changing the
 * same keys; nothing was written then.
 */
export interface SignupService {
  /**
   * Accepts a signup in one durable commit of limit logs, record, indexes, consent and delivery job. Applies `limits`
   * in order, then the limit of the mailbox, then the site's filter.
   *
   * @throws {LeaseLost} when the job of `fence` lost its lease
   */
  accept(
    signup: Signup,
    limits: readonly Policy[],
    options?: SignupOptions,
  ): Promise<Accepted | Filtered | Limited>;
  /** Counts a request that its route refuses against `limits`. A request over a limit is limited instead. */
  refuse(limits: readonly Policy[], refusal: Refusal): Promise<Refused | Limited>;
  /** Returns the result of a request over a limit that is known to be full; undefined if the database must decide. */
  overFullLimit(limit: Policy): Limited | undefined;
}

interface Deps extends LimitedCommitsDeps {
  policies: Policies;
  hooks: Hooks;
  signupProviders: Pick<SignupProviders, "nameOf">;
  /** Wakes the job runner, so that the delivery starts immediately. */
  wake: () => void;
}

export function createSignupService(deps: Deps): SignupService {
  const { clock, random, policies, hooks, signupProviders, wake } = deps;
  const commits = createLimitedCommits(deps);

  /** Commits a signup, unless it is over a limit. */
  function commit(
    signup: Signup,
    limits: readonly Policy[],
    { deliverInMs = 0, once, proof, fence }: SignupOptions,
  ) {
    const id = random.uuid();
    const job = deliverJob(signup, { id, source: signup.source, at: clock.now() });
    const rows = {
      record: signupKey(signup.email, signup.list),
      existing: jobKey(job.id),
      marker: once,
      proof,
    };
    return commits.decide(
      limits,
      rows,
      (check, { record, existing, marker, proof: used }, now): Decision<Accepted | Filtered | Limited> =>
        decideEarly(check, marker, used) ?? {
          value: check.verdicts.some(({ verdict }) => verdict.beyond) ? ACCEPTED_BEYOND : ACCEPTED,
          write(tx) {
            putLogs(tx, check.writes);
            if (once) tx.set(once, { v: 1, at: now });
            if (proof) tx.set(proof, { v: 1, at: now } satisfies ProofRow, { expireIn: PROOF_KEPT_MS });
            const before = record.value &&
              { ...record.value, provider: signupProviders.nameOf(record.value) };
            putSignup(tx, before, signup, consentOf(signup, id, now));
            addJob(tx, existing, { ...job, due: now + deliverInMs }, now);
          },
        },
      fence,
    );
  }

  /** Checks the limits of a signup without accepting it. `decide` runs for one that is under its limits. */
  function checkOnly<T>(
    limits: readonly Policy[],
    { once, proof, fence }: SignupOptions,
    decide: (writes: LimitWrite[]) => Decision<T>,
  ): Promise<Accepted | Filtered | Limited | T> {
    return commits.decide(
      limits,
      { marker: once, proof },
      (check, { marker, proof: used }): Decision<Accepted | Filtered | Limited | T> =>
        decideEarly(check, marker, used) ?? decide(check.writes),
      fence,
    );
  }

  /**
   * Runs the site's filter. Returns the changed signup, or the result if there is nothing left to commit. The filter
   * does not run for a request over a limit.
   */
  async function applyFilter(
    signup: Signup,
    limits: readonly Policy[],
    options: SignupOptions,
  ): Promise<Signup | Accepted | Filtered | Limited> {
    const decided = await checkOnly<undefined>(limits, options, () => ({ value: undefined }));
    if (decided) return decided;
    const result = await filterSignup(hooks, signup);
    if (result) return result;
    return await checkOnly<Filtered>(
      limits,
      options,
      (writes) => writeLogs({ kind: "filtered" }, writesWhenRefused(writes)),
    );
  }

  return {
    overFullLimit: commits.overFullLimit,
    async accept(signup, limits, options = {}) {
      const all = [...limits, policies.mailbox(mailboxOf(signup.email))];
      // A signup that was accepted before has that result again, even over a limit.
      const limited = options.once ? undefined : await commits.refuseOverFullLimit(all);
      if (limited) return limited;
      const filtered = hooks.has("cfbe_signup") ? await applyFilter(signup, all, options) : signup;
      const admission = "kind" in filtered ? filtered : await commit(filtered, all, options);
      if (admission.kind === "accepted") wake();
      return admission;
    },
    async refuse(limits, refusal) {
      return await commits.refuseOverFullLimit(limits) ?? await commits.decide(
        limits,
        {},
        ({ limited, writes }): Decision<Refused | Limited> =>
          limited
            ? writeLogs(limited, writes)
            : writeLogs({ kind: "refused", refusal }, writesWhenRefused(writes)),
      );
    },
  };
}

/** A proof that was used. Its challenge expires before the row does. */
interface ProofRow {
  v: 1;
  at: number;
}

/** @param id as returned by `proofId` */
export const proofKey = (id: string): Key<ProofRow> => typed(keys.solved(id));

/** Longer than a token is valid, also if the clock was ahead by an hour. */
const PROOF_KEPT_MS = 2 * TOKEN_MAX_AGE_MS;

const ACCEPTED: Accepted = { kind: "accepted" };
const ACCEPTED_BEYOND: Accepted = { kind: "accepted", beyondLimit: true };

/**
 * Decides on a signup that was accepted before, whose proof was used, or that is over a limit.
 *
 * @param marker the entry of `once`
 * @param used the entry of `proof`
 */
function decideEarly(
  { limited, writes }: LimitCheck,
  marker: Entry<unknown> | undefined,
  used: Entry<ProofRow> | undefined,
): Decision<Accepted | Filtered | Limited> | undefined {
  if (marker && marker.value !== null) return { value: ACCEPTED };
  if (used && used.value !== null) return { value: { kind: "filtered", proofUsed: true } };
  return limited && writeLogs(limited, writes);
}
