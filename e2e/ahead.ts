/** Tests that spend their time waiting, run a few at once: each still stands, and falls, by itself. */

/** How many begin before it is their turn. A visitor's signup waits for three seconds, and costs next to nothing. */
const AHEAD = 3;

/**
 * Registers tests of which some begin early. Those that began are over when `end` is.
 *
 * @returns `add` registers one; `end` goes into `Deno.test.afterAll`
 */
export function createAhead() {
  const bodies: (() => Promise<void>)[] = [];
  const begun = new Map<number, Promise<void>>();

  const begin = (index: number) => {
    const body = bodies[index];
    if (!body || begun.has(index)) return;
    const running = body();
    // Whoever awaits it in its turn is told; until then it must not end the process.
    running.catch(() => {});
    begun.set(index, running);
  };

  return {
    add(name: string, body: () => Promise<void>): void {
      const index = bodies.push(body) - 1;
      Deno.test({
        name,
        async fn() {
          for (let next = index; next <= index + AHEAD; next++) begin(next);
          await begun.get(index);
        },
        // Browsers are processes with sockets of their own, and the next test is under way.
        sanitizeOps: false,
        sanitizeResources: false,
      });
    },
    async end(): Promise<void> {
      await Promise.allSettled(begun.values());
    },
  };
}
