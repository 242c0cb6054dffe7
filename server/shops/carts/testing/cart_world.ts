import { CARTS_MAX_BYTES } from "../../../../shared/limits.ts";
import type { JobDefinition } from "../../../platform/jobs/handler.ts";
import { Chains } from "../../../platform/kv/chains.ts";
import { keys } from "../../../platform/kv/keys.ts";
import { createOrders } from "../../orders/orders.ts";
import type { MailResult, TriggeredMail } from "../../../providers/port/mail.ts";
import { SettingsSchema } from "../../../settings/schema/schema.ts";
import type { CrashingKv } from "../../../../dev/testing/crashing_kv.ts";
import {
  type Behavior,
  fixedSettings,
  type ProcessDeps,
  type ProcessSetup,
  ProcessWorld,
} from "../../../../dev/testing/process_world.ts";
import { stubProvider } from "../../../../dev/testing/stub_provider.ts";
import type { CartRow } from "../cart.ts";
import { cartMail } from "../cart_mail_job.ts";
import { createCarts } from "../carts.ts";
import { createClaims } from "../claims.ts";

/** How the provider handles the next emails; `slow` responds shortly before the call would time out. */
export type ReminderBehavior = Behavior | "slow";

/** A reminder at the moment when it is sent. */
export interface SentReminder {
  cart: string;
  email: string;
  createdAt: number;
}

interface Api {
  carts: ReturnType<typeof createCarts>;
  orders: ReturnType<typeof createOrders>;
}

const SLOW_MS = 9_900;
const SETTINGS = SettingsSchema.parse({
  general: {
    apiKey: "k",
    defaultList: "l",
    origins: ["https://shop.example"],
    modules: { carts: true },
  },
  carts: { template: "t", audience: "all" },
});

/** Carts, orders and reminders in simulated processes on one database. */
export class CartWorld extends ProcessWorld<Api> {
  /** Every reminder that was sent, in order. */
  readonly sent: SentReminder[] = [];
  /** Called at the moment when a reminder is sent. */
  onSend: (mail: SentReminder) => void = () => {};
  behavior: ReminderBehavior = "ok";

  protected setUp(deps: ProcessDeps, crashing: CrashingKv): ProcessSetup<Api> {
    const settings = fixedSettings(SETTINGS);
    const provider = stubProvider(this.clock);
    provider.sendTriggered = (mail) => this.#send(crashing, mail);
    const signupProviders = { nameOf: () => "stub", named: () => provider };
    const baseUrl = "https://news.example";
    const job = cartMail({
      ...deps,
      settings,
      provider,
      signupProviders,
      claims: createClaims(deps),
      erasures: { openAt: () => Promise.resolve(undefined) },
      baseUrl,
    });
    return {
      jobs: [job as JobDefinition<unknown>],
      api: {
        carts: createCarts({ ...deps, chains: new Chains(), settings, maxBytes: CARTS_MAX_BYTES }),
        orders: createOrders({ ...deps, settings }),
      },
    };
  }

  #send(crashing: CrashingKv, { emails: [email], data }: TriggeredMail): Promise<MailResult> {
    const isSlow = this.behavior === "slow";
    return this.call<MailResult>(crashing, this.behavior === "slow" ? "ok" : this.behavior, async () => {
      if (isSlow) await this.clock.sleep(SLOW_MS);
      const cart = String(data["restoreUrl"]).split("/").at(-1)!.split(".")[0]!;
      const row = await this.read(() => this.inner.get<CartRow>(keys.cart(cart)));
      const mail: SentReminder = { cart, email, createdAt: row.value!.createdAt };
      this.sent.push(mail);
      this.onSend(mail);
      return { kind: "sent" };
    });
  }
}
