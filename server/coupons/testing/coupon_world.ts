import { setImmediate } from "node:timers";
import { syncRecord } from "../../confirm/sync_record.ts";
import { createHooks } from "../../hooks/hooks.ts";
import { runAttempt } from "../../jobs/attempt.ts";
import { coupon } from "../coupon_job.ts";
import type { JobDefinition } from "../../jobs/handler.ts";
import { createQueue } from "../../jobs/queue.ts";
import { createKeyring } from "../../keys/keyring.ts";
import { keys } from "../../kv/keys.ts";
import type { MailResult, TransactionalMail } from "../../provider/port.ts";
import { SettingsSchema } from "../../settings/schema.ts";
import type { SettingsStore } from "../../settings/store.ts";
import { putRecord } from "../../signup/record/record.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { ManualClock } from "../../testing/manual_clock.ts";
import { memoryLog } from "../../testing/memory_log.ts";
import { seededRandom } from "../../testing/seeded_random.ts";
import { stubProvider } from "../../testing/stub_provider.ts";
import { couponOnActive } from "../triggers.ts";
import type { CouponRow } from "../row.ts";
import { createMarkers } from "../../mail/markers.ts";
import { createOnceMail, type OnceRow } from "../../mail/once_mail.ts";
import type { Coupon, CouponResult, Shop } from "../../shop/port.ts";
import { CrashingKv } from "../../testing/crashing_kv.ts";

/** What a shop or a provider does with what it is asked next. */
export type Mood = "well" | "down" | "loses the request" | "loses the answer";

const LIST = "l";
const SETTINGS = SettingsSchema.parse({
  general: { apiKey: "k", defaultList: LIST, modules: { coupons: true } },
  coupon: { template: "t", prefix: "hi" },
});

/** Activations, a shop and a provider on one database, on which processes come and go. */
export class CouponWorld {
  readonly clock = new ManualClock();
  readonly random = seededRandom(1);
  readonly markers = createMarkers(createKeyring(["a salt that is long enough for this"]));
  /** The shop's own memory: each code, and how often it was asked for. */
  readonly made = new Map<string, number>();
  readonly mails: { email: string; code: string; valid: boolean }[] = [];
  shopMood: Mood = "well";
  mailMood: Mood = "well";
  process: CouponProcess;
  readonly #processes: CouponProcess[] = [];

  constructor(readonly inner: Deno.Kv) {
    this.process = this.start();
  }

  /** One more process. The old one lives on unless it was killed. */
  start(): CouponProcess {
    const mortal = new CrashingKv(this.inner);
    const { clock, random, markers } = this;
    const hooks = createHooks({}, { clock, log: memoryLog() });
    const deps = { hooks, kv: mortal.kv, clock, random, markers, log: memoryLog() };
    const settings = { current: () => SETTINGS, apiKey: () => SETTINGS.general.apiKey } as SettingsStore;
    const provider = stubProvider(clock);
    provider.sendTransactional = (mail) => this.#mail(mortal, mail);
    provider.status = () => Promise.resolve({ kind: "found", status: "active" });
    const definition = coupon({
      ...deps,
      settings,
      provider,
      shop: () => this.#shop(mortal),
      onceMail: createOnceMail({ ...deps, provider }),
    }) as JobDefinition<unknown>;
    const queue = createQueue(deps);
    const stop = new AbortController();
    const onActive = couponOnActive({ settings, clock });
    this.process = {
      mortal,
      queue,
      // As the poll sees it: the commit that makes the record active is the one that adds the job.
      activate: (email) => syncRecord({ ...deps, onActive }, LIST, { email, status: "active" }, false),
      async work() {
        for (const claimed of await queue.claim(8)) {
          void runAttempt({ queue, clock, log: deps.log }, definition, claimed, stop.signal);
        }
      },
      stop: () => stop.abort(),
    };
    this.#processes.push(this.process);
    return this.process;
  }

  /** Somebody signed up and has not confirmed yet. */
  async pending(email: string): Promise<void> {
    const now = this.clock.now();
    const record: SignupRecord = {
      v: 1,
      email,
      list: LIST,
      status: "pending",
      since: now,
      tags: [],
      source: "shortcode",
      createdAt: now,
      updatedAt: now,
    };
    await putRecord(this.inner.atomic(), null, record).commit();
  }

  async status(email: string): Promise<string | undefined> {
    return (await this.inner.get<SignupRecord>(keys.signup(email, LIST))).value?.status;
  }

  async rows(): Promise<CouponRow[]> {
    const rows = await Array.fromAsync(this.inner.list<CouponRow>({ prefix: keys.markerAll("coupon") }));
    return rows.map(({ value }) => value);
  }

  /** What became of the mail of each code. */
  async mailed(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const { key, value } of this.inner.list<CouponRow>({ prefix: keys.markerAll("coupon") })) {
      const marker = await this.inner.get<OnceRow>(this.markers.couponMailed(String(key.at(-1))));
      found.set(value.code, marker.value?.state ?? "none");
    }
    return found;
  }

  wake(): void {
    for (const { mortal } of this.#processes) mortal.wake();
  }

  /** Resolves when nothing goes on that would go on by itself. */
  async quiet(): Promise<void> {
    for (let still = 0; still < 5;) {
      await new Promise((resolve) => setImmediate(resolve));
      still = this.#processes.some(({ mortal }) => mortal.busy > 0) ? 0 : still + 1;
    }
  }

  #shop(process: CrashingKv): Shop {
    return {
      name: "generic",
      capabilities: { coupons: true, acceptsClientErrors: true },
      bodyBytes: 0,
      missingSettings: () => ({ orders: [], coupons: [] }),
      verify: () => ({ kind: "refused", reason: "" }),
      read: () => ({ kind: "none", reason: "" }),
      makeCoupon: (wish) => this.#make(process, wish),
    };
  }

  async #make(process: CrashingKv, { code }: Coupon): Promise<CouponResult> {
    const mood = this.shopMood;
    await process.call();
    if (mood === "down") return { kind: "trouble", code: "unavailable", reason: "down", unknown: false };
    if (mood !== "loses the request") this.made.set(code, (this.made.get(code) ?? 0) + 1);
    await process.call();
    return mood === "well"
      ? { kind: "made" }
      : { kind: "trouble", code: "timeout", reason: "?", unknown: true };
  }

  async #mail(process: CrashingKv, { email, data }: TransactionalMail): Promise<MailResult> {
    const mood = this.mailMood;
    await process.call();
    if (mood === "down") return { kind: "trouble", code: "unavailable", reason: "down", unknown: false };
    const code = String(data["code"]);
    if (mood !== "loses the request") this.mails.push({ email, code, valid: this.made.has(code) });
    await process.call();
    return mood === "well"
      ? { kind: "sent" }
      : { kind: "trouble", code: "timeout", reason: "?", unknown: true };
  }
}

export interface CouponProcess {
  mortal: CrashingKv;
  queue: ReturnType<typeof createQueue>;
  activate(email: string): Promise<unknown>;
  /** Begins every job that is due. */
  work(): Promise<void>;
  /** Ends what keeps its attempts' leases. */
  stop(): void;
}
