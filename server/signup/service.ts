import { mailboxOf } from "../../shared/mailbox.ts";
import type { Clock, Random } from "../deps.ts";
import { addJob } from "../jobs/add.ts";
import { deliverJob } from "../jobs/handlers/deliver_signup.ts";
import type { JobRow } from "../jobs/row.ts";
import { cas, type Decision } from "../kv/cas.ts";
import type { Chains } from "../kv/chains.ts";
import { keys } from "../kv/keys.ts";
import type { Policies } from "../limits/policies.ts";
import { putLog, timesOf } from "../limits/spend.ts";
import { type Admission, type Gate, limitsOf, passGates } from "./admission.ts";
import { putConsentText } from "./consent_text.ts";
import { type ConsentRow, putRecord, recordAfter, type Signup, type SignupRecord } from "./record.ts";

export interface SignupOptions {
  /** How long its delivery waits; at once unless told. */
  deliverInMs?: number;
  /** Key of a mark that is set with the acceptance; where it is set already, nothing happens again. */
  once?: Deno.KvKey;
}

export interface SignupService {
  /**
   * The one entry for every source. Passes the gates, then the mailbox's own limit, then accepts in one durable
   * commit: limit logs, record, index, consent and delivery job together, or nothing.
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
  /** Wakes the job runner: delivery starts at once. */
  wake: () => void;
}

type Entry = Deno.KvEntryMaybe<unknown>;

export function createSignupService({ kv, clock, random, chains, policies, wake }: Options): SignupService {
  return {
    async signUp<Refusal>(
      signup: Signup | undefined,
      given: Gate<Refusal>[],
      { deliverInMs = 0, once }: SignupOptions = {},
    ): Promise<Admission<Refusal>> {
      const gates = signup ? [...given, { limit: policies.mailbox(mailboxOf(signup.email)) }] : given;
      const logs = limitsOf(gates).map(({ key }) => key);
      const id = random.uuid();
      const job = signup && deliverJob(signup, { id, source: signup.source, at: clock.now() });
      const rows = signup && job ? [keys.signup(signup.email, signup.list), keys.job(job.id)] : [];

      function decide(entries: Entry[]): Decision<Admission<Refusal>> {
        const now = clock.now();
        if (once && entries.at(-1)!.value !== null) return { value: { kind: "accepted" } };

        const times = entries.slice(0, logs.length).map(timesOf);
        const { admission, spent } = passGates(gates, times, now);
        const spend = (tx: Deno.AtomicOperation) => {
          for (const { policy, times } of spent) putLog(tx, policy, times);
        };
        if (admission.kind !== "accepted") {
          return spent.length > 0 ? { value: admission, write: spend } : { value: admission };
        }
        const [record, row] = entries.slice(logs.length) as [
          Deno.KvEntryMaybe<SignupRecord>,
          Deno.KvEntryMaybe<JobRow>,
        ];
        if (!signup || !job) throw new TypeError("A signup that no gate refuses must be there");
        return {
          value: admission,
          write(tx) {
            spend(tx);
            if (once) tx.set(once, { v: 1, at: now });
            putRecord(tx, record.value, recordAfter(record.value, signup, now));
            putConsent(tx, signup, id, now);
            addJob(tx, row, { ...job, due: now + deliverInMs }, now);
          },
        };
      }

      const admission = await chains.run(
        logs.map((key) => JSON.stringify(key)),
        () => cas(kv, [...logs, ...rows, ...(once ? [once] : [])], decide, { clock, random }),
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
