/** The system gives ports from 32768 up to outgoing connections and to `port: 0`. */
const FIRST = 10_000;
const END = 32_000;

/**
 * Returns a port that is free now, for a process that is started later or more than once.
 *
 * It is one that the system gives to nobody else: a port of `port: 0` can belong to another program's connection
 * before the process listens.
 *
 * @throws {Error} if a listener can't be opened for another reason than a port in use
 */
export function freePort(): number {
  while (true) {
    const port = FIRST + Math.floor(Math.random() * (END - FIRST));
    try {
      Deno.listen({ port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}
