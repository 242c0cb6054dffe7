import { mailboxOf } from "../../shared/mailbox.ts";
import type { Clock, Random } from "../deps.ts";
import type { Hooks } from "../hooks/hooks.ts";
import { addJob } from "../jobs/add.ts";
import type { Fence } from "../jobs/handler.ts";
import { deliverJob } from "./delivery/job.ts";
import { jobKey } from "../jobs/row.ts";
import { cas, type Decision } from "../kv/cas.ts";
import type { Chains } from "../kv/chains.ts";
import type { EntriesOf } from "../kv/entries.ts";
import type { Key } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { Policies } from "../limits/policies.ts";
import { putLog, timesOf } from "../limits/spend.ts";
import { type Admission, type Gate, limitsOf, passGates, spentByRefusal } from "./admission.ts";
import { filterSignup } from "./draft.ts";
import { putConsentText } from "./record/consent_text.ts";
import { putRecord, recordAfter } from "./record/record.ts";
import { consentKey, type ConsentRow, type Signup, signupKey } from "./record/row.ts";

export interface SignupOptions {
  /** How long its delivery waits; at once unless told. */
  deliverInMs?: number;
  /** Key of a marker that is set with the acceptance; where it is set already, nothing happens again. */
  once?: Key<unknown>;
  /** Of the job that brings it: an attempt that has lost its lease signs nobody up. */
  fence?: Fence;
}

export interface SignupService {
  /**
   * The one entry for every source. Passes the gates, then the mailbox's own limit, then the owner's filter, then
   * accepts in one durable commit: limit logs, record, index, consent and delivery job together, or nothing.
   *
   * @param signup undefined when a gate is sure to refuse it
   * @throws {Contended} when the database keeps changing underneath; nothing was written then
   */
  signUp<Refusal>(
    signup: Signup | undefined,
    gates: Gate<Refusal>[],
    options?: SignupOptions,
  ): Promise<Admission<Refusal>>;
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

/** What the owner's filter says of a signup that may pass. */
type Verdict = "not_asked" | "take" | "refuse";
const ASK = Symbol("it may pass; now the owner is asked");

export function createSignupService(options: Options): SignupService {
  const { kv, clock, random, chains, policies, hooks, wake } = options;

  async function attempt<Refusal>(
    signup: Signup | undefined,
    given: Gate<Refusal>[],
    { deliverInMs = 0, once, fence }: SignupOptions,
    verdict: Verdict,
  ): Promise<Admission<Refusal> | typeof ASK> {
    const gates = signup ? [...given, { limit: policies.mailbox(mailboxOf(signup.email)) }] : given;
    const id = random.uuid();
    const job = signup && deliverJob(signup, { id, source: signup.source, at: clock.now() });
    const read = {
      logs: limitsOf(gates).map(({ key }) => key),
      record: signup && signupKey(signup.email, signup.list),
      existing: job && jobKey(job.id),
      marker: once,
    };

    function decide(
      { logs, record, existing, marker }: EntriesOf<typeof read>,
    ): Decision<Admission<Refusal> | typeof ASK> {
      const now = clock.now();
      if (marker && marker.value !== null) return { value: { kind: "accepted" } };

      const { admission, spent } = passGates(gates, logs.map(timesOf), now);
      const spend = (tx: Deno.AtomicOperation, logs = spent) => {
        for (const { policy, times } of logs) putLog(tx, policy, times);
      };
      if (admission.kind !== "accepted") {
        return spent.length > 0 ? { value: admission, write: (tx) => spend(tx) } : { value: admission };
      }
      // Behind the limits: who is over one costs the owner's code nothing, and reads the same whatever it says.
      if (verdict === "not_asked") return { value: ASK };
      if (verdict === "refuse") {
        return { value: { kind: "filtered" }, write: (tx) => spend(tx, spentByRefusal(spent)) };
      }
      if (!signup || !job || !record || !existing) {
        throw new TypeError("A signup that no gate refuses must be there");
      }
      return {
        value: admission,
        write(tx) {
          spend(tx);
          if (once) tx.set(once, { v: 1, at: now });
          putRecord(tx, record.value, recordAfter(record.value, signup, now));
          putConsent(tx, signup, id, now);
          addJob(tx, existing, { ...job, due: now + deliverInMs }, now);
        },
      };
    }

    return await chains.run(
      read.logs.map((key) => JSON.stringify(key)),
      () => cas(kv, read, decide, { clock, random, fence }),
    );
  }

  return {
    async signUp<Refusal>(
      signup: Signup | undefined,
      gates: Gate<Refusal>[],
      how: SignupOptions = {},
    ): Promise<Admission<Refusal>> {
      let admission = await attempt(signup, gates, how, hooks.has("cfbe_signup") ? "not_asked" : "take");
      if (admission === ASK) {
        const answer = await filterSignup(hooks, signup!);
        admission = await attempt(answer || signup, gates, how, answer ? "take" : "refuse");
      }
      if (admission === ASK) throw new TypeError("A signup is asked about once");
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
  tx.set(consentKey(email, list, at, id), row);
  tx.set(keys.consentByTime(at, email, list, id), 1);
}
