import { addJob } from "../../../platform/jobs/add.ts";
import type { JobDefinition } from "../../../platform/jobs/handler.ts";
import { jobKey } from "../../../platform/jobs/row.ts";
import { cas } from "../../../platform/kv/cas.ts";
import { typed } from "../../../platform/kv/key.ts";
import type { Kv } from "../../../platform/kv/port.ts";
import { createPolicies } from "../../../platform/limits/policies.ts";
import { createMeters } from "../../../platform/observe/meters.ts";
import type { Provider, SubscribeResult, Target } from "../../../providers/port/port.ts";
import type { Trouble } from "../../../providers/port/trouble.ts";
import { withStepBefore } from "../../../providers/calls/wrap_calls.ts";
import { SettingsSchema } from "../../../settings/schema/schema.ts";
import { resend } from "../../../subscribers/person/actions.ts";
import type { CrashingKv } from "../../../../dev/testing/crashing_kv.ts";
import {
  type Behavior,
  fixedSettings,
  type ProcessDeps,
  type ProcessSetup,
  ProcessWorld,
} from "../../../../dev/testing/process_world.ts";
import { stubProvider } from "../../../../dev/testing/stub_provider.ts";
import { applySignup, putRecord } from "../../record/record.ts";
import { signupKey } from "../../record/row.ts";
import type { Erasures } from "../erasure_before.ts";
import { deliverJob, deliverSignup } from "../job.ts";

/** How the provider handles the next calls that write. "gets it twice": an intermediary sends the request twice. */
export type DeliveryBehavior = Behavior | "gets it twice";

export interface Mail extends Target {
  kind: "first" | "resend";
  at: number;
}

const SETTINGS = SettingsSchema.parse({ general: { apiKey: "k", defaultList: "a" } });

/** No address was ever erased. */
export const NO_ERASURES: Erasures = {
  marker: (email) => typed(["erased", email]),
  openAt: () => Promise.resolve(undefined),
  bringForward: () => Promise.resolve(),
  giveUp: () => Promise.resolve(true),
};

/** Deliveries in simulated processes on one database. */
export class DeliveryWorld extends ProcessWorld<object> {
  /** The provider's data. */
  readonly provider = stubProvider(this.clock);
  /** Confirmation emails that were sent, in order. */
  readonly mails: Mail[] = [];
  behavior: DeliveryBehavior = "ok";
  #signups = 0;

  /** @param sendsSeparately whether the provider sends every confirmation email by the call that resends it */
  constructor(inner: Kv, { sendsSeparately = false } = {}) {
    super(inner);
    if (sendsSeparately) this.provider.capabilities.sendsSeparately = true;
  }

  protected setUp(deps: ProcessDeps, crashing: CrashingKv): ProcessSetup<object> {
    const provider = this.#providerOf(crashing);
    const job = deliverSignup({
      ...deps,
      policies: createPolicies(this.keyring),
      settings: fixedSettings(SETTINGS),
      erasures: NO_ERASURES,
      signupProviders: {
        nameOf: () => "stub",
        named: (_, before) => before ? withStepBefore(provider, before) : provider,
      },
      meters: createMeters(),
      onConfirmed() {},
      attackMode: { holds: () => false },
    });
    return { jobs: [job as JobDefinition<unknown>], api: {} };
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
        putRecord(
          tx,
          before,
          applySignup(before, { ...target, provider: "stub", tags: [], source: "popup", consent }, now),
        );
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
        signupProviders: { nameOf: () => "stub", named: () => this.provider },
        activation: { isActive: () => true },
        wake() {},
      },
      target,
      "grace",
    );
  }

  /** Returns the provider as one process reaches it. */
  #providerOf(crashing: CrashingKv): Provider {
    const { provider } = this;
    /** The stub sends before its promise resolves, so an email that appears here belongs to this call. */
    const send = <Result>(target: Target, kind: Mail["kind"], effect: () => Promise<Result>) => {
      const before = provider.mails.length;
      const result = effect();
      if (provider.mails.length > before) {
        this.mails.push({ ...target, kind, at: this.clock.now() });
      }
      return result;
    };
    const write = <Result>(
      target: Target,
      kind: Mail["kind"],
      effect: () => Promise<Result>,
    ): Promise<Result | Trouble> => {
      const isTwice = this.behavior === "gets it twice";
      return this.call(crashing, this.behavior === "gets it twice" ? "ok" : this.behavior, async () => {
        if (isTwice && kind === "first") await send(target, kind, effect);
        return await send(target, kind, effect);
      });
    };
    return {
      ...provider,
      subscribe: (target, person) =>
        write<SubscribeResult>(target, "first", async () => {
          const result = await provider.subscribe(target, person);
          // The provider's responses for one of the lists contain the status.
          return result.kind === "accepted" && target.list === "b" ? { ...result, isPending: true } : result;
        }),
      async status(target) {
        await crashing.crashPoint();
        return await provider.status(target);
      },
      async resend(target, beforeSend) {
        await beforeSend?.();
        return await write(target, "resend", () => provider.resend(target));
      },
    };
  }
}
