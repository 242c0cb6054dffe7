import { mailboxOf } from "../../shared/mailbox.ts";
import type { Clock, Random } from "../deps.ts";
import type { Hooks } from "../hooks/hooks.ts";
import { addJob } from "../jobs/add.ts";
import type { Fence } from "../jobs/handler.ts";
import { jobKey } from "../jobs/row.ts";
import { cas, type Decision } from "../kv/cas.ts";
import type { Chains } from "../kv/chains.ts";
import type { Entry, Key } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { Policies, Policy } from "../limits/policies.ts";
import { putLog, timesOf } from "../limits/spend.ts";
import {
  type Accepted,
  checkLimits,
  type Filtered,
  type LimitCheck,
  type Limited,
  type LimitWrite,
  type Refusal,
  type Refused,
  writesWhenRefused,
} from "./admission.ts";
import { deliverJob } from "./delivery/job.ts";
import { filterSignup } from "./filter_signup.ts";
import { putConsentText } from "./record/consent_text.ts";
import { applySignup, putRecord } from "./record/record.ts";
import { consentKey, type ConsentRow, type Signup, signupKey } from "./record/row.ts";

export interface SignupOptions {
  /** Delay of the delivery in milliseconds; 0 by default. */
  deliverInMs?: number;
  /** Once-only marker, set in the same commit. If it is already set, the signup was accepted before. */
  once?: Key<unknown>;
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
}

interface Options {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  chains: Chains;
  policies: Policies;
  hooks: Hooks;
  /** Wakes the job runner, so that the delivery starts immediately. */
  wake: () => void;
}

export function createSignupService(
  { kv, clock, random, chains, policies, hooks, wake }: Options,
): SignupService {
  /** Commits a signup, unless it is over a limit. */
  function commit(
    signup: Signup,
    limits: readonly Policy[],
    { deliverInMs = 0, once, fence }: SignupOptions,
  ) {
    const id = random.uuid();
    const job = deliverJob(signup, { id, source: signup.source, at: clock.now() });
    const read = {
      logs: limits.map(({ key }) => key),
      record: signupKey(signup.email, signup.list),
      existing: jobKey(job.id),
      marker: once,
    };
    return chains.run(
      chainKeysOf(limits),
      () =>
        cas(kv, read, ({ logs, record, existing, marker }): Decision<Accepted | Limited> => {
          const now = clock.now();
          const check = checkLimits(limits, logs.map(timesOf), now);
          return decideEarly(check, marker) ?? {
            value: ACCEPTED,
            write(tx) {
              putLogs(tx, check.writes);
              if (once) tx.set(once, { v: 1, at: now });
              putRecord(tx, record.value, applySignup(record.value, signup, now));
              putConsent(tx, signup, id, now);
              addJob(tx, existing, { ...job, due: now + deliverInMs }, now);
            },
          };
        }, { clock, random, fence }),
    );
  }

  /** Checks the limits of a signup without accepting it. `decide` runs for one that is under its limits. */
  function checkOnly<T>(
    limits: readonly Policy[],
    { once, fence }: SignupOptions,
    decide: (writes: LimitWrite[]) => Decision<T>,
  ): Promise<Accepted | Limited | T> {
    const read = { logs: limits.map(({ key }) => key), marker: once };
    return chains.run(
      chainKeysOf(limits),
      () =>
        cas(kv, read, ({ logs, marker }): Decision<Accepted | Limited | T> => {
          const check = checkLimits(limits, logs.map(timesOf), clock.now());
          return decideEarly(check, marker) ?? decide(check.writes);
        }, { clock, random, fence }),
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
      (writes) => writeLimits({ kind: "filtered" }, writesWhenRefused(writes)),
    );
  }

  return {
    async accept(signup, limits, options = {}) {
      const all = [...limits, policies.mailbox(mailboxOf(signup.email))];
      const filtered = hooks.has("cfbe_signup") ? await applyFilter(signup, all, options) : signup;
      const admission = "kind" in filtered ? filtered : await commit(filtered, all, options);
      if (admission.kind === "accepted") wake();
      return admission;
    },
    async refuse(limits, refusal) {
      const logs = limits.map(({ key }) => key);
      return await chains.run(
        chainKeysOf(limits),
        () =>
          cas(kv, { logs }, ({ logs }): Decision<Refused | Limited> => {
            const { limited, writes } = checkLimits(limits, logs.map(timesOf), clock.now());
            return limited
              ? writeLimits(limited, writes)
              : writeLimits({ kind: "refused", refusal }, writesWhenRefused(writes));
          }, { clock, random }),
      );
    },
  };
}

const ACCEPTED: Accepted = { kind: "accepted" };

/** Requests with the same limits run one after the other here, instead of conflicting in the database. */
function chainKeysOf(limits: readonly Policy[]): string[] {
  return limits.map(({ key }) => JSON.stringify(key));
}

/** Decides on a signup that was accepted before, or that is over a limit. `marker` is the entry of `once`. */
function decideEarly(
  { limited, writes }: LimitCheck,
  marker: Entry<unknown> | undefined,
): Decision<Accepted | Limited> | undefined {
  if (marker && marker.value !== null) return { value: ACCEPTED };
  return limited && writeLimits(limited, writes);
}

function writeLimits<T>(value: T, writes: LimitWrite[]): Decision<T> {
  return writes.length > 0 ? { value, write: (tx) => putLogs(tx, writes) } : { value };
}

function putLogs(tx: Deno.AtomicOperation, writes: readonly LimitWrite[]): void {
  for (const { policy, times } of writes) putLog(tx, policy, times);
}

function putConsent(tx: Deno.AtomicOperation, signup: Signup, id: string, at: number) {
  const { email, list, source, form } = signup;
  const { newText, ...consent } = signup.consent;
  const row: ConsentRow = { v: 1, id, at, source, ...(form !== undefined && { form }), ...consent };
  if (newText !== undefined) putConsentText(tx, newText);
  tx.set(consentKey(email, list, at, id), row);
  tx.set(keys.consentByTime(at, email, list, id), 1);
}
