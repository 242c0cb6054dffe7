/** Long enough for a machine that is busy with other test files. */
const PATIENCE_MS = 30_000;

/**
 * Turns the event loop until `condition` holds: for work that no promise in the test's hands reports, such as a
 * commit made in the background after the clock was advanced. Not a pause: it goes on at the first moment.
 *
 * @throws {Error} with `what` when it does not hold within 30 real seconds.
 */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!await condition()) {
    if (performance.now() > end) throw new Error(`never came about: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
