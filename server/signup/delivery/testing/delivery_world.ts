import { setImmediate } from "node:timers";
import { createHooks } from "../../../hooks/hooks.ts";
import { addJob } from "../../../jobs/add.ts";
import { runAttempt } from "../../../jobs/attempt.ts";
import { deliverJob, deliverSignup } from "../job.ts";
import type { JobDefinition } from "../../../jobs/handler.ts";
import { createQueue } from "../../../jobs/queue.ts";
import { jobKey } from "../../../jobs/row.ts";
import { createKeyring } from "../../../keys/keyring.ts";
import { cas } from "../../../kv/cas.ts";
import { createPolicies } from "../../../limits/policies.ts";
import { createMeters } from "../../../observe/meters.ts";
import type { Provider, SubscribeResult, Target, Trouble } from "../../../provider/port.ts";
import { SettingsSchema } from "../../../settings/schema.ts";
import type { SettingsStore } from "../../../settings/store.ts";
import { CrashingKv } from "../../../testing/crashing_kv.ts";
import { resend } from "../../../subscribers/actions.ts";
import { ManualClock } from "../../../testing/manual_clock.ts";
import { memoryLog } from "../../../testing/memory_log.ts";
import { seededRandom } from "../../../testing/seeded_random.ts";
import { stubProvider } from "../../../testing/stub_provider.ts";
import { applySignup, putRecord } from "../../record/record.ts";
import { signupKey } from "../../record/row.ts";

/** What becomes of the next calls to the provider that write. "is repeated": an intermediary sends them twice. */
export type Mood = "well" | "is down" | "loses the answer" | "loses the call" | "is repeated";

export interface Mail extends Target {
  kind: "first" | "resend";
  at: number;
}

const SETTINGS = SettingsSchema.parse({ general: { apiKey: "k", defaultList: "a" } });

/** Deliveries on one database, on which processes come and go. */
export class DeliveryWorld {
  readonly clock = new ManualClock();
  readonly random = seededRandom(1);
  readonly keyring = createKeyring(["a salt that is long enough for this"]);
  readonly there = stubProvider(this.clock);
  /** Confirmation emails that left, in their order. */
  readonly mails: Mail[] = [];
  mood: Mood = "well";
  process: Process;
  readonly #processes: Process[] = [];
  #signups = 0;

  constructor(readonly inner: Deno.Kv) {
    this.process = this.start();
  }

  /** Starts a process; the one before it may have died. */
  start(): Process {
    const mortal = new CrashingKv(this.inner);
    const { clock, random, keyring } = this;
    const log = memoryLog();
    const deps = { kv: mortal.kv, clock, random, keyring, log };
    const definition = deliverSignup({
      ...deps,
      policies: createPolicies(keyring),
      settings: { current: () => SETTINGS, apiKey: () => SETTINGS.general.apiKey } as SettingsStore,
      provider: this.#provider(mortal),
      hooks: createHooks({}, { clock, log }),
      meters: createMeters(),
      confirmed() {},
    }) as JobDefinition<unknown>;
    const queue = createQueue(deps);
    this.process = {
      mortal,
      async work() {
        for (const claimed of await queue.claim(8)) {
          void runAttempt({ queue, clock, log }, definition, claimed, new AbortController().signal);
        }
      },
    };
    this.#processes.push(this.process);
    return this.process;
  }

  /** Accepts a signup as the service does: record and job in one commit. */
  async signUp(target: Target): Promise<void> {
    const now = this.clock.now();
    const job = deliverJob(target, { id: `${this.#signups++}`, source: "popup", at: now });
    const consent = { given: true, locale: "en", ip: null };
    const read = { record: signupKey(target.email, target.list), existing: jobKey(job.id) };
    await cas(this.inner, read, ({ record: { value: before }, existing }) => ({
      value: undefined,
      write(tx) {
        putRecord(tx, before, applySignup(before, { ...target, tags: [], source: "popup", consent }, now));
        addJob(tx, existing, { ...job, due: now }, now);
      },
    }), this);
  }

  /** An admin asks for the confirmation to be sent again. */
  async resend(target: Target): Promise<void> {
    await resend(
      {
        ...this,
        kv: this.inner,
        provider: this.there,
        activation: { isActive: () => true },
        wake() {},
      },
      target,
      "grace",
    );
  }

  /** Resolves when nothing goes on that would go on by itself. */
  async quiet(): Promise<void> {
    for (let still = 0; still < 5;) {
      await new Promise((resolve) => setImmediate(resolve));
      still = this.#processes.some(({ mortal }) => mortal.busy > 0) ? 0 : still + 1;
    }
  }

  /** The provider as one process reaches it, which may end in front of a call or behind it. */
  #provider(mortal: CrashingKv): Provider {
    const { there } = this;
    /** The double mails at once, before its promise: no other delivery's mail can be taken for this one's. */
    const sent = <Result>(target: Target, kind: Mail["kind"], effect: () => Promise<Result>) => {
      const before = there.mails.length;
      const answer = effect();
      if (there.mails.length > before) this.mails.push({ ...target, kind, at: this.clock.now() });
      return answer;
    };
    const write = async <Result>(
      target: Target,
      kind: Mail["kind"],
      effect: () => Promise<Result>,
    ): Promise<Result | Trouble> => {
      const { mood } = this;
      await mortal.call();
      const trouble = {
        kind: "trouble",
        code: "unavailable",
        reason: mood,
        unknown: mood !== "is down",
      } as const;
      let result: Result | Trouble = trouble;
      if (mood !== "is down" && mood !== "loses the call") result = await sent(target, kind, effect);
      if (mood === "is repeated" && kind === "first") result = await sent(target, kind, effect);
      await mortal.call();
      return mood === "loses the answer" ? trouble : result;
    };
    return {
      ...there,
      subscribe: (target, person) =>
        write<SubscribeResult>(target, "first", () => there.subscribe(target, person)),
      async status(target) {
        await mortal.call();
        return await there.status(target);
      },
      resend: (target) => write(target, "resend", () => there.resend(target)),
    };
  }
}

export interface Process {
  mortal: CrashingKv;
  /** Begins every delivery that is due. */
  work(): Promise<void>;
}
