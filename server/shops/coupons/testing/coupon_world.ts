import { syncRecord } from "../../../signup/confirm/sync_record.ts";
import type { JobDefinition } from "../../../platform/jobs/handler.ts";
import { keys } from "../../../platform/kv/keys.ts";
import { createOnceMail, type OnceRow } from "../../mail/once_mail.ts";
import type { MailResult, TransactionalMail } from "../../../providers/port/mail.ts";
import { SettingsSchema } from "../../../settings/schema/schema.ts";
import type { Coupon, CouponResult, Shop } from "../../systems/port.ts";
import { putRecord } from "../../../signup/record/record.ts";
import type { SignupRecord } from "../../../signup/record/row.ts";
import type { CrashingKv } from "../../../../dev/testing/crashing_kv.ts";
import {
  type Behavior,
  fixedSettings,
  type ProcessDeps,
  type ProcessSetup,
  ProcessWorld,
} from "../../../../dev/testing/process_world.ts";
import { stubProvider } from "../../../../dev/testing/stub_provider.ts";
import { coupon } from "../coupon_job.ts";
import type { CouponRow } from "../row.ts";
import { couponOnActive } from "../triggers.ts";

const LIST = "l";
const SETTINGS = SettingsSchema.parse({
  general: { apiKey: "k", defaultList: LIST, modules: { coupons: true } },
  coupon: { template: "t", prefix: "hi" },
});

interface Api {
  /** Makes a signup active, as the poll does. */
  activate(email: string): Promise<unknown>;
}

/** Coupons in simulated processes on one database, with a shop and a provider. */
export class CouponWorld extends ProcessWorld<Api> {
  /** The codes that the shop has created. */
  readonly codes = new Set<string>();
  /** The emails that were sent; `valid` if the shop had the code at that time. */
  readonly mails: { email: string; code: string; valid: boolean }[] = [];
  shopBehavior: Behavior = "ok";
  mailBehavior: Behavior = "ok";

  protected setUp(deps: ProcessDeps, crashing: CrashingKv): ProcessSetup<Api> {
    const settings = fixedSettings(SETTINGS);
    const provider = stubProvider(this.clock);
    provider.sendTransactional = (mail) => this.#send(crashing, mail);
    provider.status = () => Promise.resolve({ kind: "found", status: "active" });
    const onceMail = createOnceMail({
      ...deps,
      settings,
      provider,
      erasures: { openAt: () => Promise.resolve(undefined) },
    });
    const signupProviders = { nameOf: () => "stub", named: () => provider };
    const shop = () => this.#shop(crashing);
    const job = coupon({ ...deps, settings, provider, signupProviders, shop, onceMail });
    // The commit that makes the record active also adds the job.
    const onActive = couponOnActive({ settings, clock: this.clock });
    return {
      jobs: [job as JobDefinition<unknown>],
      api: {
        activate(email) {
          const seen = { email, list: LIST, provider: "stub", status: "active" } as const;
          return syncRecord({ ...deps, signupProviders, onActive }, seen, false);
        },
      },
    };
  }

  /** Stores a signup that is not confirmed yet. */
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

  /** Returns the state of each code's email. */
  async mailed(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const { key, value } of this.inner.list<CouponRow>({ prefix: keys.markerAll("coupon") })) {
      const marker = await this.inner.get<OnceRow>(this.markers.couponMailed(String(key.at(-1))));
      found.set(value.code, marker.value?.state ?? "none");
    }
    return found;
  }

  /** Returns the shop as one process reaches it. */
  #shop(crashing: CrashingKv): Shop {
    return {
      name: "generic",
      capabilities: { coupons: true, acceptsClientErrors: true },
      bodyBytes: 0,
      missingSettings: () => ({ orders: [], coupons: [] }),
      verify: () => ({ kind: "refused", reason: "" }),
      read: () => ({ kind: "ignored", reason: "" }),
      makeCoupon: ({ code }: Coupon) =>
        this.call<CouponResult>(crashing, this.shopBehavior, () => {
          this.codes.add(code);
          return Promise.resolve({ kind: "made" });
        }),
    };
  }

  #send(crashing: CrashingKv, { email, data }: TransactionalMail): Promise<MailResult> {
    return this.call<MailResult>(crashing, this.mailBehavior, () => {
      const code = String(data["code"]);
      this.mails.push({ email, code, valid: this.codes.has(code) });
      return Promise.resolve({ kind: "sent" });
    });
  }
}
