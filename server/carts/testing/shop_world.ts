import { setImmediate } from "node:timers";
import { CARTS_MAX_BYTES } from "../../../shared/limits.ts";
import { createHooks } from "../../hooks/hooks.ts";
import { runAttempt } from "../../jobs/attempt.ts";
import { cartMail } from "../cart_mail_job.ts";
import type { JobDefinition } from "../../jobs/handler.ts";
import { createQueue } from "../../jobs/queue.ts";
import { createKeyring } from "../../keys/keyring.ts";
import { Chains } from "../../kv/chains.ts";
import { keys } from "../../kv/keys.ts";
import type { MailResult, TriggeredMail } from "../../provider/port.ts";
import { SettingsSchema } from "../../settings/schema.ts";
import type { SettingsStore } from "../../settings/store.ts";
import { ManualClock } from "../../testing/manual_clock.ts";
import { memoryLog } from "../../testing/memory_log.ts";
import { seededRandom } from "../../testing/seeded_random.ts";
import { stubProvider } from "../../testing/stub_provider.ts";
import type { CartRow } from "../cart.ts";
import { createCarts } from "../carts.ts";
import { createClaims } from "../claims.ts";
import { createMarkers } from "../../mail/markers.ts";
import { createOrders } from "../../orders/orders.ts";
import { CrashingKv } from "../../testing/crashing_kv.ts";

/** What the provider does with the next mails; `slow` answers when the call's own time-out is nearly over. */
export type Mood = "well" | "refuses to answer" | "loses the answer" | "loses the mail" | "slow";

/** A mail at the moment it left. */
export interface Left {
  cart: string;
  email: string;
  createdAt: number;
  at: number;
}

const SLOW_MS = 9_900;
const OPTIONS = {
  general: { apiKey: "k", defaultList: "l", origins: ["https://shop.example"] },
  carts: { template: "t", audience: "all" },
};

/** Carts, orders and mails on one database, on which processes come and go. */
export class ShopWorld {
  readonly clock = new ManualClock();
  readonly random = seededRandom(1);
  readonly markers;
  /** Every mail that left, in order. */
  readonly left: Left[] = [];
  /** Called when a mail leaves: the moment that counts. */
  onLeave: (mail: Left) => void = () => {};
  mood: Mood = "well";
  process: Process;
  readonly #keyring = createKeyring(["a salt that is long enough for this"]);
  readonly #processes: Process[] = [];
  /** Looks of the world itself, which no process makes. */
  #looking = 0;

  constructor(readonly inner: Deno.Kv) {
    this.markers = createMarkers(this.#keyring);
    this.process = this.start();
  }

  /** One more process. The old one lives on unless it was killed. */
  start(): Process {
    const mortal = new CrashingKv(this.inner);
    const { clock, random, markers } = this;
    const hooks = createHooks({}, { clock, log: memoryLog() });
    const isActive = () => true;
    const deps = { hooks, kv: mortal.kv, clock, random, markers, log: memoryLog(), wake() {}, isActive };
    const general = { ...OPTIONS.general, modules: { carts: true } };
    const current = SettingsSchema.parse({ ...OPTIONS, general });
    const settings = { current: () => current, apiKey: () => current.general.apiKey } as SettingsStore;
    const provider = stubProvider(clock);
    provider.sendTriggered = (mail) => this.#send(mortal, mail);
    const mail = cartMail({
      ...deps,
      settings,
      provider,
      keyring: this.#keyring,
      claims: createClaims(deps),
      baseUrl: "https://news.example",
    }) as JobDefinition<unknown>;
    const queue = createQueue(deps);
    const stop = new AbortController();
    this.process = {
      mortal,
      queue,
      carts: createCarts({ ...deps, chains: new Chains(), settings, maxBytes: CARTS_MAX_BYTES }),
      orders: createOrders({ ...deps, settings }),
      async work() {
        for (const claimed of await queue.claim(8)) {
          void runAttempt({ queue, clock, log: deps.log }, mail, claimed, stop.signal);
        }
      },
      stop: () => stop.abort(),
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
      const busy = this.#looking > 0 || this.#processes.some(({ mortal }) => mortal.busy > 0);
      still = busy ? 0 : still + 1;
    }
  }

  async #look(cart: string): Promise<CartRow> {
    this.#looking++;
    try {
      return (await this.inner.get<CartRow>(keys.cart(cart))).value!;
    } finally {
      this.#looking--;
    }
  }

  async #send(process: CrashingKv, { emails: [email], data }: TriggeredMail): Promise<MailResult> {
    const mood = this.mood;
    // The process may end in front of the call, or behind it. It may not fall asleep there: between the look at the
    // clock and the call nothing can be done about that.
    await process.call();
    if (mood === "slow") await this.clock.sleep(SLOW_MS);
    if (mood === "refuses to answer") {
      return { kind: "trouble", code: "unavailable", reason: "down", unknown: false };
    }
    if (mood !== "loses the mail") {
      const cart = String(data["restoreUrl"]).split("/").at(-1)!.split(".")[0]!;
      const { createdAt } = await this.#look(cart);
      const mail: Left = { cart, email, createdAt, at: this.clock.now() };
      this.left.push(mail);
      this.onLeave(mail);
    }
    await process.call();
    return mood === "well" || mood === "slow"
      ? { kind: "sent" }
      : { kind: "trouble", code: "timeout", reason: "?", unknown: true };
  }
}

export interface Process {
  mortal: CrashingKv;
  queue: ReturnType<typeof createQueue>;
  carts: ReturnType<typeof createCarts>;
  orders: ReturnType<typeof createOrders>;
  /** Begins every job that is due. */
  work(): Promise<void>;
  /** Ends what keeps its attempts' leases. */
  stop(): void;
}
