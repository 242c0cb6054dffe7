import type { JobDefinition } from "../../../platform/jobs/handler.ts";
import { createOnceMail } from "../../mail/once_mail.ts";
import type { Provider } from "../../../providers/port/port.ts";
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
import { contactEffect } from "../contacts.ts";
import { orderMailEffect } from "../order_mail.ts";
import { orderMail } from "../order_mail_job.ts";
import { createOrders } from "../orders.ts";
import { syncContact } from "../sync_contact_job.ts";

export const SETTINGS = SettingsSchema.parse({
  general: {
    apiKey: "k",
    defaultList: "l",
    modules: { checkout: true, contactSync: true, orderEmails: true },
  },
  orders: { templates: { processing: "p", completed: "c", refunded: "r" } },
});

interface Api {
  orders: ReturnType<typeof createOrders>;
}

/** Orders, contacts and order emails in simulated processes on one database. */
export class OrderWorld extends ProcessWorld<Api> {
  /** The provider's data: contacts, and emails that were sent. */
  readonly provider = stubProvider(this.clock);
  /** How the provider handles the next calls that write. */
  behavior: Behavior = "ok";

  protected setUp(deps: ProcessDeps, crashing: CrashingKv): ProcessSetup<Api> {
    const settings = fixedSettings(SETTINGS);
    const provider = this.#providerOf(crashing);
    const erasures = { openAt: () => Promise.resolve(undefined) };
    const own = { ...deps, settings, provider, erasures };
    const jobs = [
      syncContact(own),
      orderMail({ ...own, onceMail: createOnceMail(own) }),
    ] as JobDefinition<unknown>[];
    const effects = [contactEffect({ ...deps, settings }), orderMailEffect({ ...deps, settings })];
    return { jobs, api: { orders: createOrders({ ...deps, settings, effects }) } };
  }

  /** Returns the provider as one process reaches it. */
  #providerOf(crashing: CrashingKv): Provider {
    const { provider } = this;
    return {
      ...provider,
      saveContact: (...args) => this.call(crashing, this.behavior, () => provider.saveContact(...args)),
      sendTransactional: (...args) =>
        this.call(crashing, this.behavior, () => provider.sendTransactional(...args)),
    };
  }
}
