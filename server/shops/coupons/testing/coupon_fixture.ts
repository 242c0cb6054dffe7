import assert from "node:assert/strict";
import { keys } from "../../../platform/kv/keys.ts";
import type { PartialSettings } from "../../../settings/schema/schema.ts";
import type { SignupRecord } from "../../../signup/record/row.ts";
import { eventually } from "../../../../dev/testing/eventually.ts";
import type { ShopKind } from "../../../../shared/shop_kinds.ts";
import { type Checkout, HOUR_MS, startCheckout } from "../../systems/testing/checkout.ts";
import { type ShopDouble, startShop } from "../../systems/testing/shop_double.ts";

export const ANN = "ann@gmail.com";
export const DAY_MS = 24 * HOUR_MS;

/** The template's data of a coupon email. */
export interface CouponMail {
  code: string;
  kind: string;
  amount: number;
  expiresOn: string;
  expiresAt: string;
}

/** The program with the module `coupons`, and a test shop. */
export interface CouponFixture extends AsyncDisposable {
  checkout: Checkout;
  shop: ShopDouble;
  signUp(email: string): Promise<void>;
  confirm(email: string): Promise<void>;
  /** Signs up, confirms and runs the jobs that are due. */
  subscribe(email: string): Promise<void>;
  mails(email: string): Promise<CouponMail[]>;
  /** Advances the clock to the coupon job's next attempt and runs it. */
  next(): Promise<void>;
  /** Returns the latest notes of waiting coupon jobs. */
  notes(): Promise<string[]>;
}

/** Starts the fixture, by default with coupons of 15 % for 14 days. */
export async function startCoupons(
  settings: PartialSettings = {},
  kind: ShopKind = "generic",
): Promise<CouponFixture> {
  let now = () => Date.now();
  const shop = startShop(kind, () => now());
  const checkout = await startCheckout({
    ...settings,
    general: { ...settings.general, modules: { coupons: true, ...settings.general?.modules } },
    checkout: { ...shop.settings, ...settings.checkout },
    coupon: { prefix: "hello", amount: 15, validDays: 14, ...settings.coupon },
  });
  now = () => checkout.clock.now();
  const { program } = checkout;
  const { services, sandbox } = program;
  const list = services.settings.current().general.defaultList;
  const status = async (email: string) =>
    (await services.kv.get<SignupRecord>(keys.signup(email, list))).value?.status;
  let ip = 0;
  const fixture: CouponFixture = {
    checkout,
    shop,
    async signUp(email) {
      const response = await program.subscribe({ email }, `192.0.2.${++ip}`);
      assert.equal(response.status, 200);
      await response.body?.cancel();
      await eventually("the signup is pending", async () => await status(email) === "pending");
    },
    async confirm(email) {
      await (await fetch((await sandbox!.lastMailTo(email))!.link)).body?.cancel();
      await sandbox!.idle();
      await eventually("the signup is active", async () => await status(email) === "active");
    },
    async subscribe(email) {
      await fixture.signUp(email);
      await fixture.confirm(email);
      await checkout.runFor(0);
    },
    async mails(email) {
      const response = await fetch(
        `${program.baseUrl}/sandbox/inbox.json?email=${encodeURIComponent(email)}`,
      );
      const { mails } = await response.json() as { mails: { kind: string; text: string }[] };
      return mails.filter(({ kind }) => kind === "transactional").map(({ text }) => JSON.parse(text));
    },
    async next() {
      // Other work, such as a check after a webhook, comes first.
      await sandbox!.idle();
      await checkout.runFor(0);
      const due = (await program.queue.nextDue())!;
      await checkout.runFor(Math.max(0, due - checkout.clock.now()));
    },
    async notes() {
      const { rows } = await program.queue.list({ state: "waiting" });
      return rows.filter(({ name }) => name === "cfbe_coupon").map(({ history }) => history.at(-1)!.note);
    },
    async [Symbol.asyncDispose]() {
      await checkout[Symbol.asyncDispose]();
      await shop[Symbol.asyncDispose]();
    },
  };
  return fixture;
}
