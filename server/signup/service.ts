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
  /** How long the delivery waits, in milliseconds; 0 by default. */
  deliverInMs?: number;
  /** Key of a marker that is set with the acceptance. If it is set already, the signup was accepted before. */
  once?: Key<unknown>;
  /** Of the job that hands the signup in: after losing its lease, the job accepts nothing. */
  fence?: Fence;
}

/** The one entry for every source. Both throw `Contended` when the database keeps changing; nothing was written then. */
export interface SignupService {
  /**
   * Accepts a signup in one durable commit: limit logs, record, index, consent and delivery job together, or nothing.
   * Applies `limits` in their order, then the limit of the mailbox, then the site's filter.
   *
   * @throws {LeaseLost} when the job of `fence` lost its lease
   */
  accept(
    signup: Signup,
    limits: readonly Policy[],
    options?: SignupOptions,
  ): Promise<Accepted | Filtered | Limited>;
  /** Counts a request that its source refuses against `limits`; one over a limit is limited instead. */
  refuse(limits: readonly Policy[], refusal: Refusal): Promise<Refused | Limited>;
}

interface Options {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  chains: Chains;
  policies: Policies;
  hooks: Hooks;
  /** Wakes the job runner: delivery starts at once. */
  wake: () => void;
}

export function createSignupService(options: Options): SignupService {
  const { kv, clock, random, chains, policies, hooks, wake } = options;

  /** Commits an accepted signup with everything that belongs to it. */
  function take(signup: Signup, limits: readonly Policy[], { deliverInMs = 0, once, fence }: SignupOptions) {
    const id = random.uuid();
    const job = deliverJob(signup, { id, source: signup.source, at: clock.now() });
    const read = {
      logs: limits.map(({ key }) => key),
      record: signupKey(signup.email, signup.list),
      existing: jobKey(job.id),
      marker: once,
    };
    return chains.run(
      chainsOf(limits),
      () =>
        cas(kv, read, ({ logs, record, existing, marker }): Decision<Accepted | Limited> => {
          const now = clock.now();
          const passed = checkLimits(limits, logs.map(timesOf), now);
          return decidedBefore(passed, marker) ?? {
            value: ACCEPTED,
            write(tx) {
              putLogs(tx, passed.spent);
              if (once) tx.set(once, { v: 1, at: now });
              putRecord(tx, record.value, applySignup(record.value, signup, now));
              putConsent(tx, signup, id, now);
              addJob(tx, existing, { ...job, due: now + deliverInMs }, now);
            },
          };
        }, { clock, random, fence }),
    );
  }

  /** Decides on a request that is not accepted here, from its limits alone. */
  function underLimits<T>(
    limits: readonly Policy[],
    { once, fence }: SignupOptions,
    decide: (spent: LimitWrite[]) => Decision<T>,
  ): Promise<Accepted | Limited | T> {
    const read = { logs: limits.map(({ key }) => key), marker: once };
    return chains.run(
      chainsOf(limits),
      () =>
        cas(kv, read, ({ logs, marker }): Decision<Accepted | Limited | T> => {
          const passed = checkLimits(limits, logs.map(timesOf), clock.now());
          return decidedBefore(passed, marker) ?? decide(passed.spent);
        }, { clock, random, fence }),
    );
  }

  /**
   * Returns the signup as the site's filter changed it, or what became of it. A request over a limit runs none of the
   * site's code, and gets the same response.
   */
  async function filtered(
    signup: Signup,
    limits: readonly Policy[],
    how: SignupOptions,
  ): Promise<Signup | Accepted | Filtered | Limited> {
    const decided = await underLimits<undefined>(limits, how, () => ({ value: undefined }));
    if (decided) return decided;
    const answer = await filterSignup(hooks, signup);
    if (answer) return answer;
    return await underLimits<Filtered>(
      limits,
      how,
      (spent) => spending({ kind: "filtered" }, writesWhenRefused(spent)),
    );
  }

  return {
    async accept(signup, limits, how = {}) {
      const all = [...limits, policies.mailbox(mailboxOf(signup.email))];
      const draft = hooks.has("cfbe_signup") ? await filtered(signup, all, how) : signup;
      const admission = "kind" in draft ? draft : await take(draft, all, how);
      if (admission.kind === "accepted") wake();
      return admission;
    },
    async refuse(limits, refusal) {
      const logs = limits.map(({ key }) => key);
      return await chains.run(
        chainsOf(limits),
        () =>
          cas(kv, { logs }, ({ logs }): Decision<Refused | Limited> => {
            const { limited, spent } = checkLimits(limits, logs.map(timesOf), clock.now());
            return limited
              ? spending(limited, spent)
              : spending({ kind: "refused", refusal }, writesWhenRefused(spent));
          }, { clock, random }),
      );
    },
  };
}

const ACCEPTED: Accepted = { kind: "accepted" };

/** Requests under the same limits wait for each other here, instead of losing races in the database. */
function chainsOf(limits: readonly Policy[]): string[] {
  return limits.map(({ key }) => JSON.stringify(key));
}

/** @param marker of `once`, if there is one */
function decidedBefore(
  { limited, spent }: LimitCheck,
  marker: Entry<unknown> | undefined,
): Decision<Accepted | Limited> | undefined {
  if (marker && marker.value !== null) return { value: ACCEPTED };
  return limited && spending(limited, spent);
}

function spending<T>(value: T, spent: LimitWrite[]): Decision<T> {
  return spent.length > 0 ? { value, write: (tx) => putLogs(tx, spent) } : { value };
}

function putLogs(tx: Deno.AtomicOperation, spent: readonly LimitWrite[]): void {
  for (const { policy, times } of spent) putLog(tx, policy, times);
}

function putConsent(tx: Deno.AtomicOperation, signup: Signup, id: string, at: number) {
  const { email, list, source, form } = signup;
  const { newText, ...consent } = signup.consent;
  const row: ConsentRow = { v: 1, id, at, source, ...(form !== undefined && { form }), ...consent };
  if (newText !== undefined) putConsentText(tx, newText);
  tx.set(consentKey(email, list, at, id), row);
  tx.set(keys.consentByTime(at, email, list, id), 1);
}
