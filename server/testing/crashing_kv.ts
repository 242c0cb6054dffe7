/**
 * A database as one process sees it, for tests of what crashes leave behind: the process dies, or falls asleep, in
 * front of or behind any of its round trips, while the database itself and other processes go on.
 */
export class CrashingKv {
  /** As the process uses it. */
  readonly kv: Deno.Kv;
  /** Round trips under way, of this process, that will end by themselves. */
  busy = 0;
  #left = Infinity;
  #fate: "dies" | "sleeps" = "dies";
  #asleep: { until: Promise<void>; wake: () => void } | undefined;
  dead = false;

  constructor(inner: Deno.Kv) {
    this.kv = new Proxy(inner, {
      get: (target, property) => {
        const member: unknown = Reflect.get(target, property, target);
        if (typeof member !== "function") return member;
        const call = (...args: unknown[]) => member.apply(target, args);
        if (property === "atomic") return () => this.#atomic(target.atomic());
        if (property === "list") return (...args: unknown[]) => this.#list(call(...args));
        return (...args: unknown[]) => this.#trip(() => call(...args));
      },
    });
  }

  /** Half a round trip counts as one: 2n + 1 dies with the commit made and its answer unread. */
  after(halves: number, fate: "dies" | "sleeps"): void {
    this.#left = halves;
    this.#fate = fate;
  }

  kill(): void {
    this.dead = true;
  }

  wake(): void {
    this.#left = Infinity;
    this.#asleep?.wake();
    this.#asleep = undefined;
  }

  /** Where a process may end that asks somebody else than the database. */
  async call(): Promise<void> {
    if (this.#fate === "dies") await this.#pass();
  }

  async #pass(): Promise<void> {
    if (this.#left-- <= 0) {
      if (this.#fate === "dies") this.dead = true;
      else if (!this.#asleep) {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#asleep = { until: promise, wake: resolve };
      }
    }
    if (this.#asleep) await this.#asleep.until;
    if (this.dead) await new Promise<never>(() => {});
  }

  async #trip<T>(call: () => Promise<T> | T): Promise<T> {
    await this.#pass();
    this.busy++;
    let result: T;
    try {
      result = await call();
    } finally {
      this.busy--;
    }
    await this.#pass();
    return result;
  }

  #atomic(tx: Deno.AtomicOperation): Deno.AtomicOperation {
    const commit = tx.commit.bind(tx);
    tx.commit = () => this.#trip(commit);
    return tx;
  }

  async *#list(entries: AsyncIterableIterator<unknown>): AsyncGenerator<unknown> {
    while (true) {
      const next = await this.#trip(() => entries.next());
      if (next.done) return;
      yield next.value;
    }
  }
}
