/** Dependencies that are passed in, so that rules are pure functions of values and time. */

/** The time of day, and sleeping. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Resolves after `ms`, or immediately when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Random {
  /** Uniform in [0, 1). */
  float(): number;
  uuid(): string;
  /** Returns `length` unguessable bytes. */
  bytes(length: number): Uint8Array<ArrayBuffer>;
}

export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** Structured, redacted log lines; see `observe/log.ts`. */
export interface Log {
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, ms));
      signal?.addEventListener("abort", done, { once: true });
      // Deno 2.9 loads code for the first timer of a process, and callbacks of promises run meanwhile.
      if (signal?.aborted) done();
    });
  },
};

/** A clock that is never set, for how much time has passed. */
export const steadyClock: Clock = { ...systemClock, now: () => performance.now() };

export const systemRandom: Random = {
  float: () => Math.random(),
  uuid: () => crypto.randomUUID(),
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};
