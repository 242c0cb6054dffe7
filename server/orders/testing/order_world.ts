import { setImmediate } from "node:timers";
import { createHooks } from "../../hooks/hooks.ts";
import { runAttempt } from "../../jobs/attempt.ts";
import { orderMail } from "../order_mail_job.ts";
import { syncContact } from "../sync_contact_job.ts";
import type { JobDefinition } from "../../jobs/handler.ts";
import { createQueue } from "../../jobs/queue.ts";
import { createKeyring } from "../../keys/keyring.ts";
import type { Provider, Trouble } from "../../provider/port.ts";
import { SettingsSchema } from "../../settings/schema.ts";
import type { SettingsStore } from "../../settings/store.ts";
import { ManualClock } from "../../testing/manual_clock.ts";
import { memoryLog } from "../../testing/memory_log.ts";
import { seededRandom } from "../../testing/seeded_random.ts";
import { stubProvider } from "../../testing/stub_provider.ts";
import { contactEffect } from "../contacts.ts";
import { createMarkers } from "../../mail/markers.ts";
import { createOnceMail } from "../../mail/once_mail.ts";
import { orderMailEffect } from "../order_mail.ts";
import { createOrders } from "../orders.ts";
import { CrashingKv } from "../../testing/crashing_kv.ts";

/** What the provider does with the next calls that write. */
export type Mood = "well" | "is down" | "loses the answer" | "loses the call";

export const SETTINGS = SettingsSchema.parse({
  general: { apiKey: "k", defaultList: "l", modules: { contactSync: true, orderEmails: true } },
  orders: { templates: { processing: "p", completed: "c", refunded: "r" } },
});

/** Orders, contacts and order mails on one database, on which processes come and go. */
export class OrderWorld {
  readonly clock = new ManualClock();
  readonly random = seededRandom(1);
  readonly keyring = createKeyring(["a salt that is long enough for this"]);
  readonly markers = createMarkers(this.keyring);
  /** What is at the provider: contacts, and mails that left. */
  readonly there = stubProvider(this.clock);
  mood: Mood = "well";
  process: Process;
  readonly #processes: Process[] = [];

  constructor(readonly inner: Deno.Kv) {
    this.process = this.start();
  }

  /** One more process. The old one lives on unless it was killed. */
  start(): Process {
    const mortal = new CrashingKv(this.inner);
    const { clock, random, markers, keyring } = this;
    const hooks = createHooks({}, { clock, log: memoryLog() });
    const deps = {
      hooks,
      kv: mortal.kv,
      clock,
      random,
      markers,
      keyring,
      log: memoryLog(),
      wake() {},
      isActive: () => true,
    };
    const settings = { current: () => SETTINGS, apiKey: () => SETTINGS.general.apiKey } as SettingsStore;
    const provider = this.#provider(mortal);
    const definitions = [
      syncContact({ ...deps, settings, provider }),
      orderMail({ settings, provider, markers, onceMail: createOnceMail({ ...deps, provider }) }),
    ] as JobDefinition<unknown>[];
    const queue = createQueue(deps);
    const effects = [
      contactEffect({ ...deps, settings }),
      orderMailEffect({ ...deps, settings }),
    ];
    this.process = {
      mortal,
      queue,
      orders: createOrders({ ...deps, settings, effects }),
      async work() {
        for (const claimed of await queue.claim(8)) {
          const definition = definitions.find(({ name }) => name === claimed.row.name);
          void runAttempt({ queue, clock, log: deps.log }, definition, claimed, new AbortController().signal);
        }
      },
    };
    this.#processes.push(this.process);
    return this.process;
  }

  /** Every process that fell asleep goes on where it was. */
  wake(): void {
    for (const { mortal } of this.#processes) mortal.wake();
  }

  /** Resolves when nothing goes on that would go on by itself. */
  async quiet(): Promise<void> {
    for (let still = 0; still < 5;) {
      await new Promise((resolve) => setImmediate(resolve));
      // Sealing is done elsewhere; what is asked for after it is answered after it.
      await crypto.subtle.digest("SHA-256", new Uint8Array(1));
      still = this.#processes.some(({ mortal }) => mortal.busy > 0) ? 0 : still + 1;
    }
  }

  /** The provider as one process reaches it, which may end in front of a call or behind it. */
  #provider(mortal: CrashingKv): Provider {
    const { there } = this;
    const call = async <Result>(effect: () => Promise<Result>): Promise<Result | Trouble> => {
      const { mood } = this;
      await mortal.call();
      const trouble = {
        kind: "trouble",
        code: "unavailable",
        reason: mood,
        unknown: mood !== "is down",
      } as const;
      const result = mood === "well" || mood === "loses the answer" ? await effect() : trouble;
      await mortal.call();
      return mood === "well" ? result : trouble;
    };
    return {
      ...there,
      saveContact: (...args) => call(() => there.saveContact(...args)),
      sendTransactional: (...args) => call(() => there.sendTransactional(...args)),
    };
  }
}

export interface Process {
  mortal: CrashingKv;
  queue: ReturnType<typeof createQueue>;
  orders: ReturnType<typeof createOrders>;
  /** Begins every job that is due. */
  work(): Promise<void>;
}
