import type { Kv } from "../../platform/kv/port.ts";
import { NO_ERASURES } from "../../signup/delivery/testing/delivery_world.ts";
import type { ListStatus, LocalStatus } from "../../../shared/outcomes.ts";
import type { Fetch } from "../../platform/deps.ts";
import { addJob } from "../../platform/jobs/add.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { cas } from "../../platform/kv/cas.ts";
import { readRow } from "../../platform/kv/key.ts";
import { createPolicies } from "../../platform/limits/policies.ts";
import { createMeters } from "../../platform/observe/meters.ts";
import { SettingsSchema } from "../../settings/schema/schema.ts";
import { deliverJob, deliverSignup } from "../../signup/delivery/job.ts";
import { applySignup, putRecord } from "../../signup/record/record.ts";
import { signupKey } from "../../signup/record/row.ts";
import type { CrashingKv } from "../../../dev/testing/crashing_kv.ts";
import {
  fixedSettings,
  type ProcessDeps,
  type ProcessSetup,
  ProcessWorld,
} from "../../../dev/testing/process_world.ts";
import type { ProviderHarness } from "../conformance.ts";
import type { Target } from "../port/port.ts";
import { withStepBefore } from "../calls/wrap_calls.ts";

/** What happens to one request of a delivery. */
export type RequestFault = "is lost" | "loses its response" | "dies before" | "dies after";

/** What became of a signup. */
export interface Delivery {
  status: LocalStatus;
  listStatus: ListStatus | undefined;
  /** Whether the timeline names an attempt that failed. */
  showsFailure: boolean;
}

const SETTINGS = SettingsSchema.parse({ general: { apiKey: "k" } });
const HOUR = 60 * 60_000;

/** Deliveries by a real adapter in simulated processes, which can die between any two requests. */
export class AdapterWorld extends ProcessWorld<object> {
  /** Number of requests so far. */
  requests = 0;
  /** The number of the request that fails, from 0. */
  fails: { request: number; fault: RequestFault } | undefined;

  constructor(inner: Kv, readonly harness: ProviderHarness) {
    super(inner);
  }

  protected setUp(deps: ProcessDeps, crashing: CrashingKv): ProcessSetup<object> {
    const provider = this.harness.withFetch((fetch) => this.#faulty(fetch, crashing));
    const job = deliverSignup({
      erasures: NO_ERASURES,
      ...deps,
      policies: createPolicies(this.keyring),
      settings: fixedSettings(SETTINGS),
      signupProviders: {
        nameOf: () => "adapter",
        named: (_, before) => before ? withStepBefore(provider, before) : provider,
      },
      meters: createMeters(),
      onConfirmed() {},
      attackMode: { holds: () => false },
    });
    return { jobs: [job as JobDefinition<unknown>], api: {} };
  }

  /** Accepts a signup, and lets two days pass, in which processes that died are started again. */
  async deliver(target: Target): Promise<Delivery> {
    await this.#signUp(target);
    return await this.continue(target);
  }

  /** Lets two days pass. */
  async continue(target: Target): Promise<Delivery> {
    await this.take({ do: "work" });
    for (let round = 0; round < 8; round++) {
      if (this.process.crashing.dead) await this.take({ do: "restart" });
      await this.take({ do: "advance", ms: 6 * HOUR });
      await this.take({ do: "work" });
    }
    const value = await readRow(this.inner, signupKey(target.email, target.list));
    if (!value) throw new Error("the record is missing");
    return {
      status: value.status,
      listStatus: value.listStatus,
      showsFailure: (value.history ?? []).some((event) => event.kind === "delivery" && event.failed === true),
    };
  }

  async #signUp(target: Target): Promise<void> {
    const now = this.clock.now();
    const job = deliverJob(target, { id: target.email, source: "popup", at: now });
    const consent = { given: true, locale: "en", ip: null };
    const read = { record: signupKey(target.email, target.list), existing: jobKey(job.id) };
    await cas(this.inner, read, ({ record: { value: before }, existing }) => ({
      value: undefined,
      write(tx) {
        const signup = { ...target, provider: "adapter", tags: [], consent };
        putRecord(tx, before, applySignup(before, { ...signup, source: "popup" }, now));
        addJob(tx, existing, { ...job, due: now }, now);
      },
    }), this);
  }

  #faulty(fetch: Fetch, crashing: CrashingKv): Fetch {
    return async (input, init) => {
      if (crashing.dead) throw new TypeError("the process has died");
      const fault = this.requests++ === this.fails?.request ? this.fails.fault : undefined;
      if (fault === "dies before") crashing.kill();
      if (fault === "dies before" || fault === "is lost") throw new TypeError("the connection broke");
      const response = await this.read(async () => {
        const real = await fetch(input, init);
        const body = await real.arrayBuffer();
        return new Response(body.byteLength === 0 ? null : body, real);
      });
      if (fault === "dies after") crashing.kill();
      if (fault !== undefined) throw new TypeError("the connection broke");
      return response;
    };
  }
}
