import { listing } from "../../server/platform/kv/listing.ts";
import { committing } from "../../server/platform/kv/operation.ts";
import type { Kv } from "../../server/platform/kv/port.ts";

/** How a test interrupts a simulated process. */
export type Interruption = "crash" | "sleep";

/**
 * The database as one simulated process sees it. The process can crash or fall asleep before or after any of
 * its round trips, while the database and other processes continue.
 */
export class CrashingKv {
  /** The database that the process uses. */
  readonly kv: Kv;
  /** Running round trips that will end without further action by the test. */
  busy = 0;
  #halfTripsLeft = Infinity;
  #interruption: Interruption = "crash";
  #asleep: { until: Promise<void>; wake: () => void } | undefined;
  dead = false;
  readonly #died = Promise.withResolvers<void>();
  /** Resolves when the process has crashed. */
  readonly died = this.#died.promise;

  constructor(inner: Kv) {
    const { atomic } = committing((operation) => this.kv.commit(operation));
    const { list } = listing((...args) => this.kv.page(...args));
    this.kv = new Proxy(inner, {
      get: (target, property) => {
        const member: unknown = Reflect.get(target, property, target);
        if (typeof member !== "function") return member;
        if (property === "atomic") return atomic;
        if (property === "list") return list;
        return (...args: unknown[]) => this.#trip(() => member.apply(target, args));
      },
    });
  }

  /**
   * Interrupts the process after this many half round trips. After an odd number, a commit is made, but its
   * response is lost.
   */
  interruptAfter(halfTrips: number, interruption: Interruption): void {
    this.#halfTripsLeft = halfTrips;
    this.#interruption = interruption;
  }

  kill(): void {
    this.dead = true;
    this.#died.resolve();
  }

  wake(): void {
    this.#halfTripsLeft = Infinity;
    this.#asleep?.wake();
    this.#asleep = undefined;
  }

  /** Marks a point before or after a call to another service, where the process can crash but not fall asleep. */
  async crashPoint(): Promise<void> {
    if (this.#interruption === "crash") await this.#checkInterruption();
  }

  get isAsleep(): boolean {
    return this.#asleep !== undefined;
  }

  async #checkInterruption(): Promise<void> {
    if (this.#halfTripsLeft-- <= 0) {
      if (this.#interruption === "crash") this.kill();
      else if (!this.#asleep) {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#asleep = { until: promise, wake: resolve };
      }
    }
    if (this.#asleep) await this.#asleep.until;
    if (this.dead) await new Promise<never>(() => {});
  }

  async #trip<T>(call: () => Promise<T> | T): Promise<T> {
    await this.#checkInterruption();
    this.busy++;
    let result: T;
    try {
      result = await call();
    } finally {
      this.busy--;
    }
    await this.#checkInterruption();
    return result;
  }
}
