/** Runs tests that mostly wait a few at a time. Each still passes or fails on its own. */

/** How many tests start before their turn. A signup waits for three seconds and takes little CPU time. */
const STARTED_EARLY = 3;

/**
 * Returns functions for tests that overlap.
 *
 * @returns `add` registers a test; `end` waits for all started tests, and must be called in `Deno.test.afterAll`
 */
export function createOverlap() {
  const bodies: (() => Promise<void>)[] = [];
  const started = new Map<number, Promise<void>>();

  const start = (index: number) => {
    const body = bodies[index];
    if (!body || started.has(index)) return;
    const running = body();
    // The test rejects when it is awaited in its turn. Until then, a failure must not end the process.
    running.catch(() => {});
    started.set(index, running);
  };

  return {
    add(name: string, body: () => Promise<void>): void {
      const index = bodies.push(body) - 1;
      Deno.test({
        name,
        async fn() {
          for (let next = index; next <= index + STARTED_EARLY; next++) start(next);
          await started.get(index);
        },
        // The browser and the next tests are still running when a test ends.
        sanitizeOps: false,
        sanitizeResources: false,
      });
    },
    async end(): Promise<void> {
      await Promise.allSettled(started.values());
    },
  };
}
