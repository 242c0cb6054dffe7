import { mailboxOf } from "../../shared/mailbox.ts";
import type { Clock, Random } from "../deps.ts";
import type { Hooks } from "../hooks/hooks.ts";
import { addJob } from "../jobs/add.ts";
import type { Fence } from "../jobs/handler.ts";
import { jobKey } from "../jobs/row.ts";
import { cas, type Decision } from "../kv/cas.ts";
import type { Chains } from "../kv/chains.ts";
import type { EntriesOf, NamedKeys } from "../kv/entries.ts";
import type { Entry, Key } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { FullLimits } from "../limits/full_limits.ts";
import type { Policies, Policy } from "../limits/policies.ts";
import { putLog, timesOf } from "../limits/spend.ts";
import {
  type Accepted,
  checkLimits,
  type Filtered,
  type LimitCheck,
  type Limited,
  limitedBy,
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
  /** Returns the result of a request over a limit that is known to be full; undefined if the database must decide. */
  overFullLimit(limit: Policy): Limited | undefined;
}

interface Options {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  chains: Chains;
  policies: Policies;
  fullLimits: FullLimits;
  hooks: Hooks;
  /** Wakes the job runner, so that the delivery starts immediately. */
  wake: () => void;
}

export function createSignupService(
  { kv, clock, random, chains, policies, fullLimits, hooks, wake }: Options,
): SignupService {
  /**
   * Reads the logs of limits together with other rows, and decides with the result of the check. Requests with the same
   * limits run one after the other here, instead of conflicting in the database.
   */
  function checkAndDecide<Rows extends NamedKeys, T>(
    limits: readonly Policy[],
    keys: Rows,
    decide: (check: LimitCheck, rows: EntriesOf<Rows>, now: number) => Decision<T>,
    fence?: Fence,
  ): Promise<T> {
    const read = { logs: limits.map(({ key }) => key), rows: keys };
    return chains.run(limits.map(({ id }) => id), async () => {
      let verdicts: LimitCheck["verdicts"] = [];
      const result = await cas(kv, read, ({ logs, rows }) => {
        const now = clock.now();
        const check = checkLimits(limits, logs.map(timesOf), now);
        ({ verdicts } = check);
        return decide(check, rows, now);
      }, { clock, random, fence });
      for (const { policy, verdict } of verdicts) fullLimits.note(policy, verdict);
      return result;
    });
  }

  function overFullLimit(limit: Policy): Limited | undefined {
    const retryAfterMs = fullLimits.retryAfterMs(limit, clock.now());
    return retryAfterMs === undefined ? undefined : limitedBy(limit, retryAfterMs);
  }

  /**
   * Refuses a request over a limit that is known to be full. Reads only the limits before it, which may still count the
   * request. Returns undefined if the database must decide.
   */
  async function refuseOverFullLimit(limits: readonly Policy[]): Promise<Limited | undefined> {
    const full = limits.findIndex((limit) => overFullLimit(limit) !== undefined);
    if (full < 0) return undefined;
    const before = limits.slice(0, full);
    if (before.length === 0) return overFullLimit(limits[full]!);
    return await checkAndDecide(before, {}, ({ limited, writes }): Decision<Limited | undefined> => {
      if (limited) return writeLimits(limited, writes);
      const refused = overFullLimit(limits[full]!);
      return refused ? writeLimits(refused, writesWhenRefused(writes)) : { value: undefined };
    });
  }

  /** Commits a signup, unless it is over a limit. */
  function commit(
    signup: Signup,
    limits: readonly Policy[],
    { deliverInMs = 0, once, fence }: SignupOptions,
  ) {
    const id = random.uuid();
    const job = deliverJob(signup, { id, source: signup.source, at: clock.now() });
    const rows = {
      record: signupKey(signup.email, signup.list),
      existing: jobKey(job.id),
      marker: once,
    };
    return checkAndDecide(
      limits,
      rows,
      (check, { record, existing, marker }, now): Decision<Accepted | Limited> =>
        decideEarly(check, marker) ?? {
          value: ACCEPTED,
          write(tx) {
            putLogs(tx, check.writes);
            if (once) tx.set(once, { v: 1, at: now });
            putRecord(tx, record.value, applySignup(record.value, signup, now));
            putConsent(tx, signup, id, now);
            addJob(tx, existing, { ...job, due: now + deliverInMs }, now);
          },
        },
      fence,
    );
  }

  /** Checks the limits of a signup without accepting it. `decide` runs for one that is under its limits. */
  function checkOnly<T>(
    limits: readonly Policy[],
    { once, fence }: SignupOptions,
    decide: (writes: LimitWrite[]) => Decision<T>,
  ): Promise<Accepted | Limited | T> {
    return checkAndDecide(
      limits,
      { marker: once },
      (check, { marker }): Decision<Accepted | Limited | T> =>
        decideEarly(check, marker) ?? decide(check.writes),
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
      (writes) => writeLimits({ kind: "filtered" }, writesWhenRefused(writes)),
    );
  }

  return {
    overFullLimit,
    async accept(signup, limits, options = {}) {
      const all = [...limits, policies.mailbox(mailboxOf(signup.email))];
      // A signup that was accepted before has that result again, even over a limit.
      const limited = options.once ? undefined : await refuseOverFullLimit(all);
      if (limited) return limited;
      const filtered = hooks.has("cfbe_signup") ? await applyFilter(signup, all, options) : signup;
      const admission = "kind" in filtered ? filtered : await commit(filtered, all, options);
      if (admission.kind === "accepted") wake();
      return admission;
    },
    async refuse(limits, refusal) {
      return await refuseOverFullLimit(limits) ?? await checkAndDecide(
        limits,
        {},
        ({ limited, writes }): Decision<Refused | Limited> =>
          limited
            ? writeLimits(limited, writes)
            : writeLimits({ kind: "refused", refusal }, writesWhenRefused(writes)),
      );
    },
  };
}

const ACCEPTED: Accepted = { kind: "accepted" };

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
