import { z } from "zod";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import { readRow } from "../../platform/kv/key.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Provider } from "../../providers/port/port.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { chooseCoupon, couponKey, type CouponRow, mailData, overCoupon } from "./row.ts";
import { noteShopResult } from "./shop_check.ts";
import type { Markers } from "../mail/markers.ts";
import type { OnceMail } from "../mail/once_mail.ts";
import type { Shop } from "../systems/port.ts";
import { type SignupProviders, unusable } from "../../signup/record/provider_of.ts";
import { signupKey, type SignupRecord } from "../../signup/record/row.ts";
import type { JobDefinition, JobResult, RunningJob } from "../../platform/jobs/handler.ts";
import { retryRead } from "../../providers/port/trouble.ts";

const Payload = z.object({ email: z.string(), list: z.string() });
type Payload = z.output<typeof Payload>;

const NAME = "cfbe_coupon";
const ALREADY_HAS_COUPON = "The mailbox already has a coupon.";

/** Returns the job that sends the coupon for a record that became active. */
export function couponJob({ email, list, since }: Pick<SignupRecord, "email" | "list" | "since">) {
  const payload: Payload = { email, list };
  return { id: `coupon:${list}:${since}:${email}`, name: NAME, payload } as const;
}

interface Options {
  kv: Kv;
  clock: Clock;
  random: Random;
  log: Log;
  settings: SettingsStore;
  /** The chosen provider, which sends the emails. */
  provider: Provider;
  signupProviders: SignupProviders;
  shop: () => Shop;
  markers: Markers;
  onceMail: OnceMail;
}

/**
 * Gives a new subscriber a coupon: chooses the code, creates it in the shop and emails it. Each step is stored before the
 * next, and each can be repeated: the code stays the same, the shop creates it once, and the email is sent at most once.
 */
export function coupon(options: Options): JobDefinition<Payload> {
  const { kv, clock, random, log, settings, signupProviders, shop, markers, onceMail } = options;

  /** Returns the mailbox's coupon. Chooses one if it has none. */
  function choose(job: RunningJob<Payload>, tab: Settings["coupon"]): Promise<CouponRow> {
    const key = couponKey(markers.mailbox(job.payload.email));
    const chosen = chooseCoupon(tab, {
      now: clock.now(),
      identify: markers.couponCode(job.payload.email),
    });
    return cas(kv, { coupon: key }, ({ coupon: { value: before } }): Decision<CouponRow> => {
      if (before) return { value: before };
      const row: CouponRow = { v: 1, to: { ...job.payload, job: job.id }, state: "chosen", ...chosen };
      return { value: row, write: (tx) => void tx.set(key, row) };
    }, { clock, random, fence: job.fence });
  }

  /** Stores the coupon's state. */
  function setState(job: RunningJob<Payload>, state: "made" | "over"): Promise<void> {
    const key = couponKey(markers.mailbox(job.payload.email));
    return cas(kv, { coupon: key }, ({ coupon }): Decision<void> => {
      if (!coupon.value) throw new TypeError("A chosen coupon is never deleted");
      const after = state === "over" ? overCoupon(coupon.value) : { ...coupon.value, state };
      return { value: undefined, write: (tx) => void tx.set(key, after) };
    }, { clock, random, fence: job.fence });
  }

  /** Ends the coupon without an email. */
  async function giveUp(job: RunningJob<Payload>, reason: string): Promise<JobResult> {
    await setState(job, "over");
    log.warn("coupon.not_sent", { reason });
    return { kind: "cancel", reason };
  }

  return {
    name: NAME,
    payload: Payload,
    afterRetention: (payload) => payload,
    async handle(job) {
      const { email, list } = job.payload;
      const mailbox = markers.mailbox(email);
      const before = await readRow(kv, couponKey(mailbox));
      const current = settings.current();
      const isOfOtherJob = (row: CouponRow) => row.to?.job !== job.id;
      if (before && isOfOtherJob(before)) return { kind: "cancel", reason: ALREADY_HAS_COUPON };
      if (!before && !current.general.modules.coupons) {
        return { kind: "cancel", reason: "The module is off." };
      }
      const reason = blockedBy(options);
      if (reason !== undefined) return { kind: "retry", reason };

      const row = await choose(job, current.coupon);
      if (isOfOtherJob(row)) return { kind: "cancel", reason: ALREADY_HAS_COUPON };
      if (clock.now() >= row.expiresAt) {
        return await giveUp(job, "The coupon expired before it could be sent.");
      }
      const record = await readRow(kv, signupKey(email, list));
      if (!record) {
        return await giveUp(job, "The signup no longer exists.");
      }
      if (row.state === "chosen") {
        const made = await shop().makeCoupon(row, job.signal);
        await noteShopResult({ kv, clock, settings }, row.code, made);
        if (made.kind === "trouble") return { ...made, kind: "retry" };
        await setState(job, "made");
      }
      // Only now, because the shop may have been down for days.
      const name = signupProviders.nameOf(record);
      const read = await signupProviders.named(name)?.status({ list, email }, job.signal) ??
        unusable(name);
      if (read.kind === "trouble") return retryRead(read);
      if (read.kind === "absent") {
        return { kind: "retry", reason: "The provider does not list the subscriber yet." };
      }
      if (read.status !== "active") return await giveUp(job, "No longer subscribed.");

      const mail = { template: current.coupon.template, email, data: mailData(row) };
      const marker = markers.couponMailed(mailbox);
      const sent = await onceMail(job, { marker, kind: "coupon", mail });
      if (sent.kind === "done" || sent.kind === "cancel") await setState(job, "over");
      return sent;
    },
  };
}

/** Returns what prevents coupons now. The job retries until it is fixed. */
function blockedBy({ settings, provider, shop }: Options): string | undefined {
  const { general, coupon } = settings.current();
  if (!general.modules.coupons) return "The module is off.";
  if (settings.apiKey() === "" || coupon.template === "") {
    return "No provider or no template for coupons is configured.";
  }
  if (!provider.capabilities.transactional) return "The provider cannot send transactional emails.";
  if (!shop().capabilities.coupons) return `${shop().name} does not support coupons.`;
  const missingSettings = shop().missingSettings().coupons;
  return missingSettings.length === 0
    ? undefined
    : `Not set on the Checkout page: ${missingSettings.join(", ")}.`;
}
