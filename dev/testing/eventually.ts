/** Long enough for a machine that is running other tests. */
const PATIENCE_MS = 30_000;

/**
 * Runs the event loop until `condition` is true, for work without a promise that the test could await, such
 * as a commit in the background after the clock was advanced. Returns as soon as it is true.
 *
 * @throws {Error} with `what` if it is not true within 30 seconds of real time
 */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!await condition()) {
    if (performance.now() > end) throw new Error(`did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
