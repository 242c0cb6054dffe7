import { mailboxOf } from "../../shared/mailbox.ts";
import type { Clock, Random } from "../deps.ts";
import { addJob } from "../jobs/add.ts";
import { deliverJob } from "../jobs/handlers/deliver_signup.ts";
import type { JobRow } from "../jobs/row.ts";
import { cas, type Decision } from "../kv/cas.ts";
import type { Chains } from "../kv/chains.ts";
import { keys } from "../kv/keys.ts";
import type { Policies, Policy } from "../limits/policies.ts";
import { admit } from "../limits/sliding_log.ts";
import { putLog, timesOf } from "../limits/spend.ts";
import { putConsentText } from "./consent_text.ts";
import { type ConsentRow, putRecord, recordAfter, type Signup, type SignupRecord } from "./record.ts";

/**
 * One step a signup must pass, in the order the source puts them: a limit that counts it, or a refusal that the
 * source has already found. A refusal still spends the limits in front of it (decisions §4).
 */
export type Gate<Refusal> = { limit: Policy } | { refuse: Refusal };

export type Admission<Refusal> =
  | { kind: "accepted" }
  | { kind: "limited"; by: Policy["name"]; retryAfterMs: number }
  | { kind: "refused"; refusal: Refusal };

export interface SignupService {
  /**
   * The one entry for every source. Passes the gates, then the mailbox's own limit, then accepts in one durable
   * commit: limit logs, record, index, consent and delivery job together, or nothing.
   *
   * @param signup undefined when a gate is sure to refuse it
   * @param deliverInMs how long its delivery waits; at once unless told
   * @param once key of a mark that is set with the acceptance; where it is set already, nothing happens again
   * @throws {Contended} when the database keeps changing underneath; nothing was written then
   */
  signUp<Refusal>(
    signup: Signup | undefined,
    gates: Gate<Refusal>[],
    deliverInMs?: number,
    once?: Deno.KvKey,
  ): Promise<Admission<Refusal>>;
}

interface Options {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  chains: Chains;
  policies: Policies;
  /** Wakes the job runner: delivery starts at once. */
  wake: () => void;
}

export function createSignupService(options: Options): SignupService {
  const { kv, clock, random, chains, policies, wake } = options;

  return {
    async signUp<Refusal>(
      signup: Signup | undefined,
      given: Gate<Refusal>[],
      deliverInMs = 0,
      once?: Deno.KvKey,
    ): Promise<Admission<Refusal>> {
      const gates: Gate<Refusal>[] = signup
        ? [...given, { limit: policies.mailbox(mailboxOf(signup.email)) }]
        : given;
      const limits = gates.flatMap((gate) => "limit" in gate ? [gate.limit] : []);
      const job = signup && deliverJob(signup, { id: random.uuid(), source: signup.source, at: clock.now() });
      const rows = signup && job ? [keys.signup(signup.email, signup.list), keys.job(job.id)] : [];

      const admission = await chains.run(
        limits.map((limit) => JSON.stringify(limit.key)),
        () =>
          cas(
            kv,
            [...limits.map((limit) => limit.key), ...rows, ...(once ? [once] : [])],
            (entries: Deno.KvEntryMaybe<unknown>[]): Decision<Admission<Refusal>> => {
              const now = clock.now();
              if (once && entries.at(-1)!.value !== null) return { value: { kind: "accepted" } };
              const passed: { policy: Policy; times: number[] }[] = [];
              const spend = (tx: Deno.AtomicOperation) => {
                for (const { policy, times } of passed) putLog(tx, policy, times);
              };
              const stop = (value: Admission<Refusal>) =>
                passed.length > 0 ? { value, write: spend } : { value };

              for (const gate of gates) {
                if ("refuse" in gate) return stop({ kind: "refused", refusal: gate.refuse });
                const verdict = admit(timesOf(entries[passed.length]!), now, gate.limit.limit);
                if (!verdict.admitted) {
                  return stop({ kind: "limited", by: gate.limit.name, retryAfterMs: verdict.retryAfterMs });
                }
                passed.push({ policy: gate.limit, times: verdict.log });
              }
              if (!signup || !job) throw new TypeError("A signup that no gate refuses must be there");

              const before = entries[limits.length]!.value as SignupRecord | null;
              const after = recordAfter(before, signup, now);
              return {
                value: { kind: "accepted" },
                write(tx) {
                  spend(tx);
                  if (once) tx.set(once, { v: 1, at: now });
                  putRecord(tx, before, after);
                  putConsent(tx, signup, job.payload.signups[0]!.id, now);
                  addJob(
                    tx,
                    entries[limits.length + 1] as Deno.KvEntryMaybe<JobRow>,
                    { ...job, due: now + deliverInMs },
                    now,
                  );
                },
              };
            },
            { clock, random },
          ),
      );
      if (admission.kind === "accepted") wake();
      return admission;
    },
  };
}

function putConsent(tx: Deno.AtomicOperation, signup: Signup, id: string, at: number) {
  const { email, list, source, form } = signup;
  const { newText, ...consent } = signup.consent;
  const row: ConsentRow = { v: 1, id, at, source, ...(form !== undefined && { form }), ...consent };
  if (newText !== undefined) putConsentText(tx, newText);
  tx.set(keys.consent(email, list, at, id), row);
  tx.set(keys.consentByTime(at, email, list, id), 1);
}
